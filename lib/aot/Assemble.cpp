#include "lib/aot/Assemble.h"
#include "tegula/error.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::aot {
namespace fs = std::filesystem;
namespace {

/// A folder that goes with this object.
class Folder {
public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tegula-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw Error("tegula: no folder can be made in " + fs::temp_directory_path().string() + ": " + std::strerror(errno));
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string operator/(const char* name) const { return (path_ / name).string(); }

private:
  fs::path path_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Both of its outputs go to a file. Returns whether it ran and succeeded.
bool run(std::vector<std::string> command, const std::string& output) {
  std::vector<char*> arguments;
  for (std::string& argument : command)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), ::environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    throw Error("tegula: '" + command[0] + "' cannot be run: " + std::strerror(error));
  int status = 1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

std::string machine_code(const GpuKernel& kernel, const std::string& ptxas) {
  const Folder folder;
  const std::string ptx = folder / "kernel.ptx", image = folder / "kernel.cubin", said = folder / "said";
  std::ofstream(ptx, std::ios::binary) << kernel.ptx;
  if (!run({ptxas, "-arch=" + kernel.target, "-o", image, ptx}, said))
    throw Error("tegula: '" + ptxas + "' does not assemble the code of '" + kernel.entry + "' for " + kernel.target +
                "; use a newer one, or leave CUBIN out. It says:\n" + contents(said));
  return contents(image);
}

} // namespace tegula::aot
