#include "Expect.h"
#include "lib/runtime/Environment.h"
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
  setenv("TEGULA_DEVICE", "cpu", 1);
  EXPECT_TRUE(Device::best() == d);
  unsetenv("TEGULA_DEVICE");
  EXPECT_GT(d.memory_bytes(), 0);
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

TEST(DeviceDeathTest, NamesVariablesThatNothingReads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto found = [] {
    setenv("TEGULA_DEVISE", "cpu", 1);
    setenv("TEGULA_PROVE_KERNELS", "1", 1); // of the tests
    Device::cpu();
    Device::cpu();
    std::_Exit(0);
  };
  EXPECT_EXIT(found(), testing::ExitedWithCode(0), "tegula: the environment variable TEGULA_DEVISE is set, but nothing reads it");
}

TEST(Environment, ListsTheWordsThatMeanSomething) {
  setenv("TEGULA_CHECKS", "all", 1);
  EXPECT_MESSAGE(runtime::choice("TEGULA_CHECKS", {"everything"}), "TEGULA_CHECKS is 'all'; set it to everything, or unset it");
  setenv("TEGULA_CHECKS", "everything", 1);
  EXPECT_EQ(runtime::choice("TEGULA_CHECKS", {"everything"}), "everything");
  setenv("TEGULA_CHECKS", "", 1);
  EXPECT_FALSE(runtime::choice("TEGULA_CHECKS", {"everything"})) << "empty is not set";
  unsetenv("TEGULA_CHECKS");
}

TEST(DeviceDeathTest, SaysWhyThereIsNoGpu) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto gpu = [](const char* library, const char* version, const char* init, const char* count) {
    setenv("TEGULA_DRIVER", library, 1);
    setenv("FAKE_VERSION", version, 1);
    setenv("FAKE_INIT", init, 1);
    setenv("FAKE_COUNT", count, 1);
    unsetenv("TEGULA_DEVICE");
    try {
      std::fprintf(stderr, "%d GPUs, best: %s\n", Device::gpus(), Device::best().name());
      Device::gpu();
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::_Exit(0);
  };
  const auto none = testing::ExitedWithCode(0);
  EXPECT_EXIT(gpu("/no/driver.so", "", "", ""), none,
              "TEGULA_DRIVER is '/no/driver.so': NVIDIA's driver library '/no/driver.so' cannot be loaded .*, or unset it");
  EXPECT_EXIT(gpu(TEGULA_TEST_DRIVER, "11080", "0", "1"), none,
              "0 GPUs, best: cpu\ntegula: .*supports CUDA 11.8, and Tegula needs 12.0 or later; update the driver");
  EXPECT_EXIT(gpu(TEGULA_TEST_DRIVER, "12040", "803", "1"), none,
              "0 GPUs, best: cpu\ntegula: .*does not start: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH \\(803\\); the driver was updated "
              "while it was "
              "loaded: restart the machine");
  EXPECT_EXIT(gpu(TEGULA_TEST_DRIVER, "12040", "0", "0"), none, "0 GPUs, best: cpu\ntegula: .*shows no device");
}

} // namespace
