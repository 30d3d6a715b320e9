#include "test/gpu/Worker.h"

#include "tegula/tegula.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::test {
namespace {

constexpr int device_lost = 3;

std::string full_name(const testing::TestInfo& info) { return std::string(info.test_suite_name()) + "." + info.name(); }

bool device_works() {
  try {
    return Tensor<i32, 1>::full(Device::gpu(), {1}, 7).to_host().front() == 7;
  } catch (const Error&) {
    return false;
  }
}

/// Lines for the parent: "begin NAME", "text LINE"..., then "passed", "failed" or "skipped".
class Reporter : public testing::EmptyTestEventListener {
public:
  explicit Reporter(int file) : file_(fdopen(file, "w")) {}

  void OnTestStart(const testing::TestInfo& info) override { say("begin " + full_name(info)); }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (part.passed())
      return;
    std::string text = part.file_name() ? std::string(part.file_name()) + ":" + std::to_string(part.line_number()) + ": " : "";
    text += part.message();
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      say("text " + text.substr(from, end - from));
      from = end + 1;
    }
  }
  void OnTestEnd(const testing::TestInfo& info) override {
    say(info.result()->Failed() ? "failed" : info.result()->Skipped() ? "skipped" : "passed");
    if (info.result()->Failed() && !device_works())
      _exit(device_lost);
  }

private:
  void say(const std::string& line) {
    std::fprintf(file_, "%s\n", line.c_str());
    std::fflush(file_);
  }
  FILE* file_;
};

/// A child process that writes to the file it is given.
std::pair<pid_t, int> in_child(const std::function<int(int file)>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("cannot start a process");
  if (child == 0) {
    close(ends[0]);
    _exit(work(ends[1]));
  }
  close(ends[1]);
  return {child, ends[0]};
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return std::string("the process was ended by the signal ") + strsignal(WTERMSIG(status));
  return "the process ended with status " + std::to_string(WEXITSTATUS(status));
}

} // namespace

void Worker::start() {
  const auto [child, file] = in_child([this](int to) {
    std::string filter;
    for (const std::string& name : left_)
      filter += (filter.empty() ? "" : ":") + name;
    GTEST_FLAG_SET(filter, filter);
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    if (!std::freopen("/dev/null", "w", stdout)) // what kernels print would be mixed with what other processes say
      return 1;
    listeners.Append(new Reporter(to));
    return RUN_ALL_TESTS();
  });
  child_ = child;
  file_ = file;
  since_ = std::chrono::steady_clock::now();
}

void Worker::read(std::vector<Verdict>& verdicts) {
  char buffer[4096];
  const ssize_t n = ::read(file_, buffer, sizeof buffer);
  if (n <= 0)
    return child_ended(verdicts);
  unread_.append(buffer, static_cast<std::size_t>(n));
  std::size_t from = 0;
  for (std::size_t end = 0; (end = unread_.find('\n', from)) != std::string::npos; from = end + 1)
    take_line(unread_.substr(from, end - from), verdicts);
  unread_.erase(0, from);
}

void Worker::take_line(const std::string& line, std::vector<Verdict>& verdicts) {
  constexpr std::string_view begin = "begin ", text = "text ";
  since_ = std::chrono::steady_clock::now();
  if (line.starts_with(begin)) {
    current_ = line.substr(begin.size());
    text_.clear();
  } else if (line.starts_with(text)) {
    text_ += "  " + line.substr(text.size()) + "\n";
  } else {
    verdicts.push_back({line == "passed"    ? Verdict::passed
                        : line == "skipped" ? Verdict::skipped
                                            : Verdict::failed,
                        current_, text_});
    std::erase(left_, current_);
    current_.clear();
  }
}

void Worker::child_ended(std::vector<Verdict>& verdicts) {
  int status = 0;
  waitpid(child_, &status, 0);
  close(file_);
  file_ = -1;
  unread_.clear();
  if (current_.empty() && !left_.empty() && status == 0) { // the rest was not run: nothing that GoogleTest knows
    for (const std::string& name : left_)
      verdicts.push_back({Verdict::failed, name, "  it was not run\n"});
    left_.clear();
  }
  if (!current_.empty()) {
    verdicts.push_back({Verdict::failed, current_, text_ + "  " + how_it_ended(status) + "\n"});
    std::erase(left_, current_);
    current_.clear();
  }
  if (!left_.empty())
    start();
}

void Worker::end_if_stuck(std::chrono::seconds limit) const {
  if (!done() && std::chrono::steady_clock::now() - since_ > limit)
    kill(child_, SIGKILL);
}

std::vector<std::string> tests_to_run() {
  // GoogleTest applies its filter when it runs, or lists.
  const auto [child, file] = in_child([](int to) {
    dup2(to, STDOUT_FILENO);
    GTEST_FLAG_SET(list_tests, true);
    const int status = RUN_ALL_TESTS();
    std::fflush(stdout);
    return status;
  });
  FILE* const lines = fdopen(file, "r");
  std::vector<std::string> names;
  std::string suite;
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, lines)) {
    std::string line = buffer;
    line.erase(std::min(line.find_first_of("#\n"), line.size()));
    while (line.ends_with(' '))
      line.pop_back();
    if (line.starts_with("  "))
      names.push_back(suite + line.substr(2));
    else
      suite = line;
  }
  std::fclose(lines);
  waitpid(child, nullptr, 0);
  return names;
}

} // namespace tegula::test
