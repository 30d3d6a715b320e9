// A child process that runs some tests and reports on each through a pipe.
#pragma once
#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tegula::test {

struct Verdict {
  enum Kind { passed, failed, skipped } kind = passed;
  std::string test, text;
};

class Worker {
public:
  /// Starts a process for these tests.
  explicit Worker(std::deque<std::string> tests) : left_(std::move(tests)) { start(); }

  int file() const { return file_; }
  /// Whether all tests have a verdict.
  bool done() const { return file_ < 0; }
  /// Reads what there is to read. A child that ends early fails the test it was at, and is started again for those after it.
  void read(std::vector<Verdict>&);
  /// Ends a child that has been at one test for too long; the next read notices.
  void end_if_stuck(std::chrono::seconds limit) const;

private:
  void start();
  void take_line(const std::string& line, std::vector<Verdict>&);
  void child_ended(std::vector<Verdict>&);

  std::deque<std::string> left_;
  std::string current_, text_, unread_;
  std::chrono::steady_clock::time_point since_;
  pid_t child_ = -1;
  int file_ = -1;
};

/// The names of the tests that the filter lets through.
std::vector<std::string> tests_to_run();

} // namespace tegula::test
