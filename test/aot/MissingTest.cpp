// Launches for which nothing was compiled ahead of time.
#include "kernels.hpp"
#include "test/runtime/Expect.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace {

using namespace tegula;

constexpr const char* or_compile = "; or link Tegula::tegula, which compiles while the program runs";

auto scaled(const auto& kernel, const Device& d) {
  const auto x = Tensor<f32, 1>::full(d, {300}, 3);
  auto op = kernel(Tensor<f32, 1>::zeros(d, {300}), x, 2);
  try {
    return std::move(op).sync().to_host();
  } catch (const Error&) {
    EXPECT_EQ(std::move(op).cancel().size(), 300) << "nothing is lost";
    throw;
  }
}

TEST(Missing, WhatIsThereRuns) { EXPECT_EQ(scaled(kernels::scale, Device::gpu()), std::vector<f32>(300, 6)); }

TEST(Missing, AnEqualKernelIsTheSameWhereverItIsMade) {
  const auto again = kernel<kernels::scale_tiles<256>>("scale", {.stages = 7});
  EXPECT_EQ(scaled(again, Device::gpu()), std::vector<f32>(300, 6)) << "hints are advice";
}

TEST(Missing, AKernelThatWasNotCompiled) {
  const auto other = kernel("other", [](Out<f32, 256> y, In<f32, 256> x, Scalar<f32> by) { y.store(x[y] + by); });
  EXPECT_ERROR(LaunchError, scaled(other, Device::gpu()), "kernel 'other' (");
  EXPECT_ERROR(LaunchError, scaled(other, Device::gpu()),
               ") was not compiled ahead of time; make it at namespace scope in a file that is given to tegula_add_kernels()" +
                   std::string(or_compile));
  EXPECT_ERROR(LaunchError, prove(other), "kernel 'other' (");
}

TEST(Missing, AKernelThatRecordsSomethingElse) {
  const auto other = kernel("scale", [](Out<f32, 256> y, In<f32, 256> x, Scalar<f32> by) { y.store(x[y] - by); });
  EXPECT_ERROR(LaunchError, scaled(other, Device::gpu()),
               "): it records something else, or has other source lines; give the two different names, or let it not depend on how "
               "a file is "
               "compiled or by which compiler");
}

TEST(Missing, AKernelThatReadsElsewhereTakesNoProofOfAnother) {
  const Device d = Device::gpu();
  const auto table = Tensor<f32, 1>::full(d, {256}, 3);
  const auto launch = [&](const auto& kernel, i64 mode, i64 row) {
    auto op = kernel(Tensor<f32, 1>::zeros(d, {64}), table, mode, row);
    try {
      return std::move(op).sync().to_host();
    } catch (const Error&) {
      (void)std::move(op).cancel();
      throw;
    }
  };
  EXPECT_EQ(launch(kernels::optional, 2, 1), std::vector<f32>(64, 3));
  EXPECT_EQ(launch(kernels::optional, 0, i64{1} << 40), std::vector<f32>(64, 1));
  const auto always = kernel<kernels::optional_row<true>>("optional");
  EXPECT_ERROR(LaunchError, launch(always, 0, i64{1} << 40), "is not the one of that name that was compiled ahead of time (");
}

TEST(Missing, OtherHints) {
  const auto strict = kernel<kernels::optional_row<false>>("optional", {.strict = true});
  EXPECT_ERROR(LaunchError, prove(strict),
               "was compiled ahead of time with other hints: not strict, and here it is strict; make it with the same hints" +
                   std::string(or_compile));
}

TEST(Missing, TheCpu) {
  EXPECT_ERROR(LaunchError, scaled(kernels::scale, Device::cpu()),
               ") was compiled ahead of time, for GPUs only; launch it on Device::gpu()" + std::string(or_compile));
}

TEST(Missing, OtherChecks) {
  setenv("TEGULA_CHECKS", "everything", 1);
  const auto again = kernel<kernels::scale_tiles<256>>("scale");
  EXPECT_ERROR(
      LaunchError, scaled(again, Device::gpu()),
      ") was compiled ahead of time, with the checks that it needs, and TEGULA_CHECKS=everything asks for others; unset it" +
          std::string(or_compile));
  unsetenv("TEGULA_CHECKS");
}

/// On an emulated sm_86.
TEST(OlderDevice, FindsNothingForItself) {
  EXPECT_ERROR(
      LaunchError, scaled(kernels::scale, Device::gpu()),
      ") was compiled ahead of time for sm_90a, none of which runs on this device, sm_86; add its target to the TARGETS of "
      "tegula_add_kernels(), or an older one without a letter at its end" +
          std::string(or_compile));
}

} // namespace
