// Copies and fills as operations, and pinned memory, on the CPU and on a GPU whose work is done as late as streams allow.
#include "Adders.h"
#include "Expect.h"

#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace tegula;

class Copies : public Adders {
protected:
  Tensor<i32, 1> numbers(i32 x) const { return Tensor<i32, 1>::full(device, {8}, x); }
};

TEST_P(Copies, TensorsAreCopiedInPlaceAndInOrder) {
  for_each_order([&](unsigned) {
    const Queue q1(device), q2(device);
    auto a = numbers(1), b = numbers(2), c = Tensor<i32, 1>::uninit(device, {8});
    a = plus(std::move(a), b, 10).start(q1);
    c.copy_from(a).start(q2);
    a.fill(7).start(q1);
    b.copy_from(c).start();
    b.copy_from(a.view().slice(0, 0, 8)).start(q2);
    EXPECT_EQ(c.to_host(), std::vector<i32>(8, 12));
    EXPECT_EQ(b.to_host(), std::vector<i32>(8, 7));
    auto named = c.copy_from(a);
    std::move(named).cancel();
    c.copy_from(std::move(b).share()).sync();
    EXPECT_EQ(c.to_host(), std::vector<i32>(8, 7));
    auto wide = Tensor<f64, 1>::zeros(device, {5});
    wide.fill(0.1).start(q2);
    EXPECT_EQ(wide.to_host(), std::vector<f64>(5, 0.1));
  });
}

TEST_P(Copies, PinnedMemoryIsReadAndWrittenInOrder) {
  for_each_order([&](unsigned) {
    const Queue q1(device), q2(device);
    Pinned<i32> in(device, 8), result(device, 8);
    auto x = numbers(0), y = numbers(0);
    for (int i = 0; i < 3; ++i) {
      std::vector<i32> elements(8);
      std::iota(elements.begin(), elements.end(), i);
      in.copy_from(elements); // waits for the copy before
      x.copy_from(in).start(q1);
      y = plus(std::move(y), x, 100).start(q2);
      y.copy_to(result).start(q2);
      if (i == 1) {
        EXPECT_EQ(result.to_host()[7], 108);
      }
    }
    std::vector<i32> last(8);
    result.copy_to(last);
    EXPECT_EQ(last[0], 102);
    EXPECT_TRUE(result.ready());
    EXPECT_MESSAGE(result.copy_to(std::span(last).first(7)), "copy_to(): from 8 to 7: extents must agree");
    EXPECT_MESSAGE(in.copy_from({}), "copy_from(): from 0 to 8");
    const Pinned<i32> taken = std::move(result);
    EXPECT_MESSAGE((void)result.to_host(), "to_host() of pinned memory that was moved from or never made");
    EXPECT_EQ(taken.to_host(), last);
  });
}

TEST_P(Copies, PinnedMemoryCanBeUsedInPlace) {
  for_each_order([&](unsigned) {
    Pinned<i32> pinned(device, 8);
    auto x = numbers(3);
    x.copy_to(pinned).start();
    const std::span<i32> elements = pinned.elements(unsafe("copied from before it ends")); // waits for the copy
    EXPECT_EQ(elements[0], x.to_host()[0]);
    elements[0] = 50;
    x.copy_from(pinned).start();
    EXPECT_EQ(x.to_host()[0], 50);
    fails(fresh(8), x, 1).start().copy_to(pinned).start();
    EXPECT_ERROR(LaunchError, (void)pinned.elements(unsafe("it is refused")), "s is 0");
  });
}

TEST_P(Copies, TheHostsOwnMemory) {
  for_each_order([&](unsigned) {
    auto t = Tensor<i32, 2>::uninit(device, {2, 4});
    std::vector<i32> host(8);
    std::iota(host.begin(), host.end(), 1);
    t.copy_from(host);
    std::vector<i32> back(8);
    t.copy_to(back);
    EXPECT_EQ(back, host);
    auto flags = Tensor<bool, 1>::zeros(device, {3});
    const std::vector<u8> bytes{2, 0, 255};
    flags.copy_from(bytes);
    EXPECT_EQ(flags.to_host(), (std::vector<u8>{1, 0, 1}));
  });
}

TEST_P(Copies, InGraphs) {
  for_each_order([&](unsigned) {
    Pinned<i32> in(device, 8), result(device, 8);
    auto x = numbers(0), sum = numbers(0), wide = numbers(0);
    auto halves = Tensor<f64, 1>::zeros(device, {4});
    Recorder recorder(device);
    sum.fill(1000).start(recorder);
    x.copy_from(in).start(recorder);
    to(out(sum), x, frozen(1)).start(recorder);
    wide.copy_from(sum).start(recorder);
    wide.copy_to(result).start(recorder);
    halves.fill(0.25).start(recorder);
    const Graph graph = std::move(recorder).finish();
    EXPECT_EQ(graph.nodes(), 6);
    for (int i = 0; i < 3; ++i) {
      std::vector<i32> elements(8);
      elements[2] = i;
      in.copy_from(elements);
      graph.start();
    }
    EXPECT_EQ(result.to_host()[2], 1003);
    EXPECT_EQ(result.to_host()[3], 1001);
    EXPECT_EQ(halves.to_host()[3], 0.25);
    graph.sync();
  });
}

TEST_P(Copies, APoisonedTensorPoisonsItsCopies) {
  for_each_order([&](unsigned) {
    const auto x = numbers(1);
    auto bad = fails(fresh(8), x, 1).start();
    auto copy = numbers(0);
    Pinned<i32> pinned(device, 8);
    copy.copy_from(bad).start();
    copy.copy_to(pinned).start();
    EXPECT_ERROR(LaunchError, (void)pinned.to_host(), "s is 0");
    std::vector<i32> host(8);
    EXPECT_ERROR(LaunchError, bad.copy_to(host), "s is 0");
    copy.fill(3).start();
    copy.copy_to(pinned).start();
    EXPECT_EQ(pinned.to_host()[0], 3);
    fails(fresh(8), x, 1).start().copy_to(pinned).start();
    pinned.copy_from(std::vector<i32>(8, 4)); // well again
    EXPECT_EQ(pinned.to_host()[0], 4);
  });
}

TEST_P(Copies, WhatDoesNotFitIsSaid) {
  auto a = numbers(1);
  const auto small = Tensor<i32, 1>::zeros(device, {4});
  EXPECT_MESSAGE((void)a.copy_from(small).sync(), "copy_from(): from 4 to 8");
  Pinned<i32> pinned(device, 3);
  EXPECT_MESSAGE((void)a.copy_to(pinned).sync(), "copy_to(): from 8 to 3");
  const auto grid = Tensor<i32, 2>::zeros(device, {4, 4});
  auto square = Tensor<i32, 2>::zeros(device, {4, 4});
  EXPECT_MESSAGE((void)square.copy_from(grid.view().transpose()).sync(), "from a view with gaps between its elements");
  const auto unwritten = Tensor<i32, 1>::uninit(device, {8});
  EXPECT_MESSAGE((void)a.copy_from(unwritten).sync(), "what is read has never been written");
  const Device other = Device::cpu(1);
  const auto elsewhere = Tensor<i32, 1>::zeros(other, {8});
  EXPECT_MESSAGE((void)a.copy_from(elsewhere).sync(), "the two are on different devices");
  EXPECT_MESSAGE((void)a.fill(1).start(other.queue()), "it is started on a queue of device 'cpu with 1 thread'");
  Tensor<i32, 1> empty;
  EXPECT_MESSAGE((void)empty.fill(1).sync(), "fill(): the tensor was moved from or never made");
  {
    const auto op = plus(fresh(8), a, 1);
    EXPECT_MESSAGE((void)a.fill(1).sync(), "fill(): what is written is in use by an operation that has not run yet");
    (void)const_cast<std::remove_const_t<decltype(op)>&&>(op).cancel();
  }
  testing::internal::CaptureStderr();
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wconsumed"
#pragma clang diagnostic ignored "-Wunused-variable"
  {
    const auto dropped = a.fill(2);
  }
#pragma clang diagnostic pop
  EXPECT_NE(testing::internal::GetCapturedStderr().find("an operation of fill() was dropped and never run"), std::string::npos);
  EXPECT_EQ(a.to_host()[0], 1);
  a.fill(5).cancel();
  auto nothing = Tensor<i32, 1>::zeros(device, {0}), none = Tensor<i32, 1>::zeros(device, {0});
  nothing.copy_from(none).sync();
  Pinned<i32> nobody(device, 0);
  nothing.copy_to(nobody).start();
  EXPECT_EQ(nobody.to_host().size(), 0u);
}

TEST_P(Copies, PinnedMemoryIsFreedBehindItsWork) {
  for_each_order([&](unsigned) {
    auto x = numbers(1);
    for (int i = 0; i < 4; ++i) {
      Pinned<i32> in(device, 8);
      in.copy_from(std::vector<i32>(8, 10 + i));
      x.copy_from(in).start();
    }
    EXPECT_EQ(x.to_host()[0], 13);
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, Copies, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace
