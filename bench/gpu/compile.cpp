// The first launch of a kernel, in a process of its own each time: with nothing on disk, and with the assembled kernel there.
#include "bench/gpu/Case.h"
#include "bench/gpu/FirstLaunch.h"
#include "bench/gpu/Process.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace tegula::bench {
namespace {

/// A folder for stored kernels, gone with this object.
class Folder {
public:
  Folder() : path_((std::filesystem::temp_directory_path() / "tegula-bench-XXXXXX").string()) {
    if (!mkdtemp(path_.data()))
      throw Error("cannot make a folder like " + path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

/// This program once more, as `gpu-bench --first-launch KERNEL`.
double in_another_process(const std::string& kernel, const std::string& folder) {
  const Finished finished = run_program("/proc/self/exe", {"gpu-bench", "--first-launch", kernel},
                                        {{"TEGULA_CACHE_DIR", folder}, {"TEGULA_CACHE", "on"}});
  if (!finished.succeeded)
    throw Error("gpu-bench --first-launch " + kernel + " failed");
  return std::strtod(finished.output.c_str(), nullptr);
}

Ready prepare_cold(const std::string& kernel) {
  return {"", [=] { return in_another_process(kernel, Folder().path()); }};
}

Ready prepare_stored(const std::string& kernel) {
  auto folder = std::make_shared<Folder>();
  in_another_process(kernel, folder->path());
  return {"", [=] { return in_another_process(kernel, folder->path()); }};
}

} // namespace

void add_compile_cases(std::vector<Case>& cases) {
  constexpr int rounds = 5;
  for (const std::string& kernel : first_launch_kernels()) {
    cases.push_back(
        {.bench = "compile cold", .what = kernel, .unit = "ms", .rounds = rounds, .prepare = [=] { return prepare_cold(kernel); }});
    cases.push_back({.bench = "compile stored", .what = kernel, .unit = "ms", .rounds = rounds, .prepare = [=] {
                       return prepare_stored(kernel);
                     }});
  }
}

} // namespace tegula::bench
