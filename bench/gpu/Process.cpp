#include "bench/gpu/Process.h"

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::bench {

Finished run_program(const std::string& program, const std::vector<std::string>& arguments,
                     const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<char*> words;
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0)
    return {};
  const pid_t child = fork();
  if (child == 0) {
    for (const auto& [name, value] : environment)
      setenv(name.c_str(), value.c_str(), /*overwrite=*/1);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(program.c_str(), words.data());
    _exit(127);
  }
  close(ends[1]);
  Finished finished;
  char buffer[256];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    finished.output.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  finished.succeeded = child > 0 && waitpid(child, &status, 0) == child && status == 0;
  return finished;
}

} // namespace tegula::bench
