// Memory that somebody else made, on the CPU and on a GPU: it is used as any other, and given back once, behind its last use.
#include "Adders.h"
#include "Expect.h"

#include <thread>

namespace {

using namespace tegula;

class Adopting : public Adders {
protected:
  /// On the fake GPU, device memory is the host's, too.
  Tensor<i32, 1> adopt(i32* data, i64 n) {
    return Tensor<i32, 1>::adopt(
        device, {n}, data,
        [this](i32* given_back) {
          ++times;
          last = given_back;
        },
        unsafe("a test's own array"));
  }
  std::vector<i32> memory = std::vector<i32>(9, 5);
  std::atomic<int> times{0};
  i32* last = nullptr;
};

// What is the same on both, or cannot be on one, or is no matter of the fake driver.
class AdoptingOnCpu : public Adopting {};
class AdoptingOnGpu : public Adopting {};

TEST_P(Adopting, IsReadAndWrittenWhereItIs) {
  {
    auto t = adopt(memory.data(), 9);
    EXPECT_EQ(plus(fresh(9), t, 1).sync().to_host(), std::vector<i32>(9, 6));
    const auto x = Tensor<i32, 1>::full(device, {9}, 7);
    t = plus(std::move(t), x, 1).sync();
    EXPECT_EQ(memory, std::vector<i32>(9, 8));
    EXPECT_EQ(device.statistics().bytes_in_use, 36) << "x alone: what is adopted is not the device's";
    EXPECT_EQ(times, 0);
  }
  EXPECT_EQ(times, 1);
  EXPECT_EQ(last, memory.data());
}

TEST_P(Adopting, NeedsTheAlignmentOfItsElementsOnly) {
  auto t = adopt(memory.data() + 1, 7);
  const auto x = Tensor<i32, 1>::full(device, {7}, 2);
  to(out(t), x, 1).sync();
  EXPECT_EQ(memory, (std::vector<i32>{5, 8, 8, 8, 8, 8, 8, 8, 5}));
}

TEST_P(Adopting, GivesBackBehindTheLastWork) {
  for_each_order([&](unsigned seed) {
    times = 0;
    memory.assign(9, 5);
    const Queue one(device), two(device);
    const auto x = Tensor<i32, 1>::full(device, {9}, 7);
    Tensor<i32, 1> read;
    {
      auto t = adopt(memory.data(), 9);
      read = plus(fresh(9), t, 1).start(one);
      plus(out(t), x, 3).start(two);
    }
    EXPECT_EQ(times, 1) << seed;
    EXPECT_EQ(memory, std::vector<i32>(9, 10)) << seed << ": the work is done";
    memory.assign(9, -1); // its owner's again
    EXPECT_EQ(read.to_host(), std::vector<i32>(9, 6)) << seed;
  });
}

TEST_P(Adopting, IsSplitAndSharedAsAnyTensor) {
  for_each_order([&](unsigned seed) {
    times = 0;
    memory.assign(9, 5);
    const auto x = Tensor<i32, 1>::full(device, {4}, 7);
    const Queue one(device);
    Shared<i32, 1> kept;
    {
      auto [low, high] = adopt(memory.data(), 9).split<0>(4);
      plus(out(low), x, 1).start(one);
      kept = std::move(high).share();
    }
    EXPECT_EQ(times, 0) << "a part is still there";
    kept = {};
    EXPECT_EQ(times, 1);
    EXPECT_EQ(memory, (std::vector<i32>{8, 8, 8, 8, 5, 5, 5, 5, 5})) << seed;
  });
}

TEST_P(Adopting, RefusesWhatCannotBeRightAndStillGivesItBack) {
  EXPECT_MESSAGE(adopt(nullptr, 9), "adopt() of i32 9: the pointer is null");
  EXPECT_EQ(times, 1);
  auto* odd = reinterpret_cast<i32*>(reinterpret_cast<std::uintptr_t>(memory.data()) + 2);
  EXPECT_MESSAGE(adopt(odd, 3), "adopt() of i32 3: the pointer is not aligned: elements of 4 bytes lie at multiples of 4");
  EXPECT_EQ(times, 2);
  EXPECT_EQ(last, odd);
  EXPECT_MESSAGE(adopt(memory.data(), -1), "extents are 0 or more");
  EXPECT_EQ(times, 3);
  EXPECT_TRUE(adopt(nullptr, 0).to_host().empty());
  EXPECT_EQ(times, 4);
}

TEST_P(Adopting, ADeleterMayOwnTheMemory) {
  auto owner = std::make_unique<std::vector<i32>>(9, 3);
  i32* data = owner->data();
  auto t = Tensor<i32, 1>::adopt(device, {9}, data, [kept = std::move(owner)](i32*) {}, unsafe("the deleter keeps it"));
  EXPECT_EQ(plus(fresh(9), t, 1).sync().to_host(), std::vector<i32>(9, 4));
}

TEST_P(AdoptingOnCpu, IsCopied) {
  std::optional<Tensor<i32, 1>> t(adopt(memory.data(), 9));
  auto copy = t->copy();
  t.reset();
  EXPECT_EQ(times, 1);
  memory.assign(9, -1);
  EXPECT_EQ(copy.to_host(), std::vector<i32>(9, 5));
}

TEST_P(AdoptingOnGpu, OfALostDeviceIsGivenBack) {
  fake::delay(1);
  auto t = adopt(memory.data(), 9);
  auto read = plus(fresh(9), t, 1).start();
  fake::fail_call("cuEventSynchronize", 700);
  t = {};
  EXPECT_EQ(times, 1);
}

/// A sink that drops the tensor that the launch whose line it is given reads.
TEST_P(AdoptingOnCpu, IsGivenBackLaterWhenAPrintSinkDropsIt) {
  fake::define("adopt prints",
               [](const std::int64_t*, std::int64_t program, std::int64_t, void* context, void*) {
                 tegula_cpu_print(context, 0, program, nullptr);
               },
               {{Site::Kind::print, {"a.cpp", 1, 1}, "line", {}}});
  const auto speaks = kernel("adopt prints", [](Out<i32, 16> y, In<i32, 16> x) { y.store(x[y] + x[y]); });
  static std::optional<Tensor<i32, 1>> dropped;
  dropped.emplace(adopt(memory.data(), 9));
  set_print_sink([](void*, const char*, std::size_t) { dropped.reset(); });
  auto y = speaks(Tensor<i32, 1>::zeros(device, {9}), *dropped).start();
  y.sync();
  set_print_sink(nullptr);
  while (times == 0)
    std::this_thread::yield();
  EXPECT_EQ(times, 1);
}

INSTANTIATE_TEST_SUITE_P(Device, AdoptingOnCpu, testing::Values(Kind::cpu), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Device, AdoptingOnGpu, testing::Values(Kind::gpu), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Devices, Adopting, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace
