#include "tools/tegula/Cache.h"

#include "lib/runtime/gpu/DiskCache.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <ctime>

namespace tegula {
namespace {

int no_cache() {
  std::puts("kernels are not kept: TEGULA_CACHE is off, or neither TEGULA_CACHE_DIR, XDG_CACHE_HOME nor HOME names a folder");
  return 0;
}

std::string local_time(std::filesystem::file_time_type when) {
  const auto system = std::chrono::file_clock::to_sys(when);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::seconds>(system));
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return text;
}

} // namespace

int show_cache() {
  const auto cache = gpu::DiskCache::from_environment();
  if (!cache)
    return no_cache();
  const gpu::DiskCache::Summary summary = cache->summary();
  std::printf("folder   %s\nkernels  %" PRIu64 "\nbytes    %" PRIu64 " of at most %" PRIu64 "\n", cache->directory().c_str(),
              summary.entries, summary.bytes, cache->limit());
  if (summary.newest)
    std::printf("newest   %s\n", local_time(*summary.newest).c_str());
  return 0;
}

int clear_cache() {
  const auto cache = gpu::DiskCache::from_environment();
  if (!cache)
    return no_cache();
  const std::uint64_t removed = cache->clear();
  std::printf("removed %" PRIu64 " %s from %s\n", removed, removed == 1 ? "kernel" : "kernels", cache->directory().c_str());
  return 0;
}

} // namespace tegula
