// One program under two names, since most of it is the compiler: gpu-test, and gpu-bench.
#include "bench/gpu/Run.h"
#include "test/gpu/Supervisor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

int main(int argc, char** argv) {
  if (argc > 0 && std::filesystem::path(argv[0]).filename() == "gpu-bench")
    return tegula::bench::run_gpu(argc, argv);
  // Tests run on the first GPU, and what is on disk must not hide a mistake of the compiler.
  setenv("TEGULA_DEVICE", "gpu", /*overwrite=*/0);
  setenv("TEGULA_CACHE", "off", /*overwrite=*/0);
  testing::InitGoogleTest(&argc, argv);
  int jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 12u));
  for (int i = 1; i < argc; ++i) {
    constexpr std::string_view option = "--jobs=";
    const std::string_view argument = argv[i];
    const char* end = argument.data() + argument.size();
    if (!argument.starts_with(option) || std::from_chars(argument.data() + option.size(), end, jobs).ptr != end || jobs < 1) {
      std::fputs("usage: gpu-test [--gtest_filter=TESTS] [--jobs=N]\n", stderr);
      return 2;
    }
  }
  if (GTEST_FLAG_GET(list_tests))
    return RUN_ALL_TESTS();
  return tegula::test::run_supervised(jobs);
}
