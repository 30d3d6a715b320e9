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

int number_before(const std::string& text, const std::string& what) {
  std::smatch match;
  return std::regex_search(text, match, std::regex("(\\d+) " + what)) ? std::stoi(match[1]) : 0;
}

} // namespace

std::optional<Assembled> assemble(const std::string& ptx, const std::string& target) {
  static const std::string ptxas = find_ptxas();
  if (ptxas.empty())
    return std::nullopt;
  char name[] = "/tmp/tegula-ptx-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0)
    return Assembled{.error = "no temporary file could be made"};
  close(file);
  std::ofstream(name) << ptx;
  const std::string command = ptxas + " -v -arch=" + target + " " + name + " -o /dev/null 2>&1";
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r"); // NOLINT(bugprone-command-processor): all of the command is ours
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, count);
  const int status = pclose(pipe);
  std::remove(name);
  if (status != 0)
    return Assembled{.error = text};
  return Assembled{.error = {},
                   .registers = number_before(text, "registers"),
                   .spilled_bytes = number_before(text, "bytes spill stores") + number_before(text, "bytes spill loads"),
                   .stack_bytes = number_before(text, "bytes stack frame"),
                   .shared_bytes = number_before(text, "bytes smem")};
}

} // namespace tegula::test
