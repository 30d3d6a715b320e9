#include "tools/tegula/RunProgram.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula {
namespace {

/// While a program runs, Ctrl-C is for it alone: who started it cleans up behind it.
class InterruptsAreForTheProgram {
public:
  InterruptsAreForTheProgram() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    ::sigemptyset(&as_usual_);
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      ::sigaction(signals[i], &ignore, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN)
        ::sigaddset(&as_usual_, signals[i]);
    }
  }
  InterruptsAreForTheProgram(const InterruptsAreForTheProgram&) = delete;
  InterruptsAreForTheProgram& operator=(const InterruptsAreForTheProgram&) = delete;
  ~InterruptsAreForTheProgram() {
    for (std::size_t i = 0; i < std::size(signals); ++i)
      ::sigaction(signals[i], &before_[i], nullptr);
  }
  const sigset_t& as_usual() const { return as_usual_; } // in the program

private:
  static constexpr int signals[] = {SIGINT, SIGQUIT};
  struct sigaction before_[std::size(signals)]{};
  sigset_t as_usual_{};
};

} // namespace

int run_program(const std::vector<std::string>& command, const std::string& variable, const std::string& value, bool to_stderr) {
  std::vector<char*> arguments, environment;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::string entry = variable + "=";
  for (char** e = ::environ; *e; ++e)
    if (!std::string_view(*e).starts_with(entry))
      environment.push_back(*e);
  entry += value;
  environment.push_back(entry.data());
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (to_stderr)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::fflush(stdout); // what was printed before it comes before it
  const InterruptsAreForTheProgram interrupts;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &interrupts.as_usual());
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    throw std::runtime_error("'" + command[0] + "' cannot be run: " + std::strerror(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw std::runtime_error("'" + command[0] + "' was lost: " + std::strerror(errno));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace tegula
