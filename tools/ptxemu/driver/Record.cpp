// What programs run can be kept: each distinct text, and beside it the shared memory that launches of it ask for.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "tools/ptxemu/driver/State.h"

namespace ptxemu::driver {
namespace {

// Several processes may write the same file at once: each writes its own and renames it.
bool write_once(const std::string& file, const std::string& text) {
  std::error_code error;
  if (std::filesystem::exists(file, error))
    return true;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), error);
  const std::string part = file + "." + std::to_string(getpid());
  std::ofstream out(part);
  out << text;
  out.close();
  std::filesystem::rename(part, file, error);
  return out && !error;
}

} // namespace

bool record(LoadedModule& module, const std::string& text) {
  const char* folder = std::getenv("TEGULA_PTXEMU_RECORD");
  if (!folder || !*folder)
    return true;
  module.recorded = std::string(folder) + "/" + std::to_string(std::hash<std::string>()(text));
  return write_once(module.recorded + ".ptx", text);
}

bool record_shared(const LoadedModule& module, std::uint64_t bytes) {
  return module.recorded.empty() || write_once(module.recorded + ".shared", std::to_string(bytes));
}

} // namespace ptxemu::driver
