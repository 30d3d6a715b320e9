#include "test/support/Ptxas.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::test {

namespace {

std::string find_ptxas() {
  std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  path += ":/usr/local/cuda/bin";
  for (std::size_t start = 0; start < path.size();) {
    std::size_t end = path.find(':', start);
    if (end == std::string::npos)
      end = path.size();
    const std::string program = path.substr(start, end - start) + "/ptxas";
    if (access(program.c_str(), X_OK) == 0)
      return program;
    start = end + 1;
  }
  return {};
}

const std::string& ptxas() {
  static const std::string path = find_ptxas();
  return path;
}

struct Finished {
  int status;
  std::string text;
};

Finished run_ptxas(const std::string& options) {
  const std::string command = "'" + ptxas() + "' " + options + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r"); // NOLINT(bugprone-command-processor): all of the command is ours
  if (!pipe)
    return {1, "ptxas cannot be started"};
  std::string text;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, count);
  return {pclose(pipe), text};
}

} // namespace

std::optional<Assembled> assemble(const std::string& ptx, const std::string& target) {
  if (ptxas().empty())
    return std::nullopt;
  char name[] = "/tmp/tegula-ptx-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0)
    return Assembled{.error = "no temporary file could be made"};
  close(file);
  std::ofstream(name) << ptx;
  const auto [status, text] = run_ptxas("-v -arch=" + target + " " + name + " -o /dev/null");
  std::remove(name);
  if (status != 0)
    return Assembled{.error = text.empty() ? "ptxas failed and says nothing" : text};
  return Assembled{.error = {},
                   .registers = number_before(text, "registers"),
                   .spilled_bytes = number_before(text, "bytes spill stores") + number_before(text, "bytes spill loads"),
                   .stack_bytes = number_before(text, "bytes stack frame"),
                   .shared_bytes = number_before(text, "bytes smem")};
}

const std::string& assembler_version() {
  static const std::string version = [] {
    std::string text = ptxas().empty() ? "" : run_ptxas("--version").text;
    text.erase(text.find_last_not_of('\n') + 1);
    return text.substr(text.rfind('\n') + 1);
  }();
  return version;
}

std::string resources(const Assembled& assembled, int threads, std::int64_t shared_bytes) {
  return std::to_string(threads) + " threads, " + std::to_string(assembled.registers) + " registers, " +
         std::to_string(assembled.spilled_bytes) + " bytes spilled, " + std::to_string(assembled.shared_bytes + shared_bytes) +
         " bytes of shared memory";
}

int number_before(const std::string& text, const std::string& words) {
  std::smatch match;
  return std::regex_search(text, match, std::regex("(\\d+) " + words)) ? std::stoi(match[1]) : 0;
}

} // namespace tegula::test
