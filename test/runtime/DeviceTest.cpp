#include "Expect.h"
#include "tegula/tegula.hpp"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

namespace {

using namespace tegula;

TEST(Device, Names) {
  const Device d = Device::cpu();
  EXPECT_STREQ(d.name(), "cpu");
  EXPECT_GE(d.parallelism(), 1);
  EXPECT_EQ(Device::cpu(3).parallelism(), 3);
  EXPECT_TRUE(Device::best() == d);
  EXPECT_FALSE(Device::cpu(1) == d);
  EXPECT_MESSAGE(Device::cpu(0), "Device::cpu(0): a device has 1 to 4096 threads");
}

TEST(DeviceDeathTest, ThreadsFromTheEnvironmentAreChecked) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto threads = [](const char* text) {
    setenv("TEGULA_THREADS", text, 1);
    try {
      std::fprintf(stderr, "threads: %d\n", Device::cpu().parallelism());
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(threads("3"), testing::ExitedWithCode(0), "threads: 3");
  EXPECT_EXIT(threads("-1"), testing::ExitedWithCode(0), "TEGULA_THREADS is '-1'; set it to a number from 1 to 4096");
  EXPECT_EXIT(threads("2x"), testing::ExitedWithCode(0), "TEGULA_THREADS is '2x'");
}

} // namespace
