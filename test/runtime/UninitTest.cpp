// Memory without values: unreadable until a kernel that is proved to write all of it has run.
#include "Expect.h"
#include "FakeCompiler.h"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tegula;

void copy(Out<i32, 4> y, In<i32, 4> x) { y.store(x[y]); }

auto copy_kernel(const char* name, std::vector<int> covered) {
  fake::define(name, [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
    for (std::int64_t i = program * 4; i < program * 4 + 4 && i < w[1]; ++i)
      reinterpret_cast<i32*>(w[0])[i] = reinterpret_cast<const i32*>(w[3])[i];
  });
  Proof proof;
  proof.covered = std::move(covered);
  fake::prove(name, proof);
  return kernel<copy>(name);
}

TEST(Uninit, CannotBeRead) {
  const Device d = Device::cpu(2);
  auto t = Tensor<i32, 1>::uninit(d, {4});
  EXPECT_EQ(t.size(), 4);
  EXPECT_MESSAGE(t.to_host(),
                 "tegula: to_host() of a tensor that has never been written: it was made by uninit() or fresh(), "
                 "and no kernel that is proved to write every element, no copy and no replay of a graph has filled it since");
  EXPECT_MESSAGE(t.view().to_host(), "to_host() of a tensor that has never been written");
  EXPECT_MESSAGE(t.copy(), "copy() of a tensor that has never been written");
  EXPECT_MESSAGE(std::move(t).share(), "share() of a tensor that has never been written");
  EXPECT_MESSAGE(certify(std::move(t), 8), "certify() of a tensor that has never been written");
  EXPECT_EQ(t.size(), 4) << "it is still there";
  const auto k = copy_kernel("reads-unwritten", {0});
  auto op = k(Tensor<i32, 1>::full(d, {4}, 7), t);
  EXPECT_ERROR(LaunchError, std::move(op).sync(),
               "kernel 'reads-unwritten' was not launched: parameter 2 is a tensor that has never been written: it was made by "
               "uninit() or fresh(), and only an Out or OutTiles takes it");
  EXPECT_EQ(std::move(op).cancel().to_host(), std::vector<i32>(4, 7));
  EXPECT_EQ(d.statistics().launches, 0);
}

TEST(Uninit, IsOrdinaryOnceAllOfItIsWritten) {
  const Device d = Device::cpu(2);
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  auto t = copy_kernel("covers", {0})(Tensor<i32, 1>::uninit(d, {6}), x).sync();
  EXPECT_EQ(t.to_host(), std::vector<i32>(6, 3));
  EXPECT_EQ(t.copy().size() + t.view().size(), 12);
  EXPECT_EQ(copy_kernel("reads", {0})(Tensor<i32, 1>::uninit(d, {6}), t).sync().to_host(), std::vector<i32>(6, 3));
  EXPECT_EQ(std::move(t).share().to_host(), std::vector<i32>(6, 3));
}

TEST(Uninit, StaysSoIfTheProofDoesNotCoverIt) {
  const Device d = Device::cpu(2);
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  const auto t = copy_kernel("covers-not", {})(Tensor<i32, 1>::uninit(d, {6}), x).sync();
  EXPECT_MESSAGE(t.to_host(), "has never been written");
  EXPECT_EQ(x.to_host(), std::vector<i32>(6, 3));
}

TEST(Uninit, StaysSoIfTheLaunchFailsOrRunsNothing) {
  const Device d = Device::cpu(2);
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  const auto k = copy_kernel("covers-or-fails", {0});
  fake::fail("covers-or-fails", 1);
  auto op = k(Tensor<i32, 1>::uninit(d, {6}), x);
  EXPECT_ERROR(InternalError, std::move(op).sync(), "the compiler failed");
  auto t = std::move(op).cancel();
  EXPECT_MESSAGE(t.to_host(), "has never been written");
}

TEST(Uninit, OfNothingIsWritten) {
  const Device d = Device::cpu(2);
  EXPECT_TRUE((Tensor<i32, 2>::uninit(d, {0, 4}).to_host().empty()));
}

TEST(Uninit, MemoryThatIsUsedAgainIsOrdinary) {
  const Device d = Device::cpu(2);
  {
    const auto t = Tensor<i32, 1>::uninit(d, {4});
  }
  EXPECT_EQ((Tensor<i32, 1>::zeros(d, {4}).to_host()), std::vector<i32>(4)) << "the control block is the same";
}

TEST(Uninit, WhatIsReadOrAccumulatedIntoMustHaveValues) {
  const Device d = Device::cpu(2);
  const char* const never = "parameter 1 is a tensor that has never been written";
  for (const char* name : {"inout", "patch", "into"}) {
    fake::define(name, [](auto...) { FAIL(); });
    Proof proof;
    proof.covered = {0};
    fake::prove(name, proof);
  }
  const auto inout = kernel("inout", [](InOut<i32, 4> y) { y.store(y.load() + 1); });
  EXPECT_ERROR(LaunchError, inout(Tensor<i32, 1>::uninit(d, {4})).sync(), never);
  const auto patch = kernel("patch", [](Patch<i32, 4> y) { y.tile(0).store(zeros<i32, 4>()); });
  EXPECT_ERROR(LaunchError, patch(Tensor<i32, 1>::uninit(d, {4})).sync(), never);
  const auto into = kernel("into", [](AddInto<i32, 4> y) { y.accumulate(ones<i32, 4>(), 0); });
  auto op = into(Tensor<i32, 1>::uninit(d, {4}));
  EXPECT_ERROR(LaunchError, std::move(op).sync(), never);
  EXPECT_EQ(std::move(op).cancel().size(), 4);
}

} // namespace
