// Queues of a GPU whose work is done as late as streams and events allow, in an order that a seed chooses.
#include "Expect.h"
#include "GpuKernels.h"

#include <array>
#include <random>

namespace {

using namespace tegula;
using fake::word;

// What they do is said by their entries; they are recorded otherwise, so that each has code of its own.
void add(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s); }
void add_or_fail(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s + 3); }
void add_to(InOut<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(y.load() + x[y] + s); }

/// Wraps: what is read too early may be anything.
i32 sum(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(a) + static_cast<u32>(b)); }

// Words: y, extent, stride; x, extent, stride; s; first, programs, messages.
template <class F> void each(void** p, std::int64_t block, const F& f) {
  for (std::int64_t i = block * 4; i < block * 4 + 4 && i < word(p, 1); ++i)
    f(reinterpret_cast<i32*>(word(p, 0))[i], reinterpret_cast<const i32*>(word(p, 3))[i], static_cast<i32>(word(p, 6)));
}
void add_entry(void** p, std::int64_t block) {
  each(p, block, [](i32& y, i32 x, i32 s) { y = sum(x, s); });
}
void add_to_entry(void** p, std::int64_t block) {
  each(p, block, [](i32& y, i32 x, i32 s) { y = sum(y, sum(x, s)); });
}
/// Fails if s is not 0.
void add_or_fail_entry(void** p, std::int64_t block) {
  add_entry(p, block);
  if (block != 0 || static_cast<i32>(word(p, 6)) == 0)
    return;
  fail_at_first_site(word(p, 9));
}

template <auto F> auto defined(const char* name, fake::GpuProgram entry, std::vector<Site> sites = {}) {
  fake::define_entry(name, entry);
  GpuKernel kernel = code(name);
  kernel.sites = std::move(sites);
  fake::define_gpu(name, kernel);
  Proof proof;
  proof.covered = {0};
  fake::prove(name, proof);
  return tegula::kernel<F>(name);
}

class GpuQueues : public WithoutDiskCache {
protected:
  static std::vector<i32> of(i32 value) { return std::vector<i32>(6, value); }
  const Kernel<Out<i32, 4>, In<i32, 4>, Scalar<i32>> plus = defined<add>("gpu_queue_add", add_entry);
  const Kernel<InOut<i32, 4>, In<i32, 4>, Scalar<i32>> to = defined<add_to>("gpu_queue_add_to", add_to_entry);
  const Kernel<Out<i32, 4>, In<i32, 4>, Scalar<i32>> fails =
      defined<add_or_fail>("gpu_queue_fails", add_or_fail_entry, {{Site::Kind::assertion, {"a.cpp", 7, 3}, "s is 0", {}}});
};

TEST_F(GpuQueues, WhoIsOnlyWaitedForByQueuesKeepsFewEvents) {
  const Device device = fake::gpu();
  const Queue one(device), two(device);
  const auto x = Tensor<i32, 1>::full(device, {6}, 1);
  const int before = fake::calls("cuEventCreate");
  for (int i = 0; i < 500; ++i) {
    const auto y = plus(fresh(6), x, 1).start(one);
    const auto z = plus(fresh(6), y, 1).start(two); // the host waits for neither
  }
  EXPECT_LE(fake::calls("cuEventCreate") - before, 40);
}

TEST_F(GpuQueues, WhoReadsACopyWaitsForNothingBehindIt) {
  const Device device = fake::gpu();
  const auto x = Tensor<i32, 1>::full(device, {6}, 1);
  const auto y = plus(fresh(6), x, 1).start();
  Pinned<i32> pinned(device, 6);
  y.copy_to(pinned).start();
  const int marks = fake::calls("cuEventRecord");
  const auto z = plus(fresh(6), y, 1).start();
  EXPECT_EQ(pinned.to_host()[0], 2);
  EXPECT_EQ(fake::calls("cuEventRecord"), marks) << "it would be behind z";
}

TEST_F(GpuQueues, AnUploadStandsBehindNoOtherWork) {
  const Device device = fake::gpu();
  fake::delay(7);
  const auto x = Tensor<i32, 1>::full(device, {6}, 1);
  const auto y = plus(fresh(6), x, 1).start();
  const auto z = Tensor<i32, 1>::from_host(device, {6}, of(3));
  EXPECT_EQ(fake::calls("cuEventSynchronize"), 0);
  EXPECT_EQ(z.to_host(), of(3));
  EXPECT_EQ(fake::calls("cuEventSynchronize"), 0) << "nothing but copies was waited for";
  EXPECT_EQ(y.to_host(), of(2));
  EXPECT_EQ(fake::calls("cuEventSynchronize"), 1);
}

TEST_F(GpuQueues, AFreeWaitsForTheLastReader) {
  int found = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    for (const bool deferred : {true, false}) {
      const Device device = fake::gpu();
      fake::delay(seed);
      const Queue one(device), two(device);
      Tensor<i32, 1> y, other;
      const auto seven = Tensor<i32, 1>::full(device, {6}, 7);
      {
        auto x = Tensor<i32, 1>::full(device, {6}, 3);
        y = plus(fresh(6), x, 1).start(two);
        if (!deferred)
          fake::leave_out("cuMemFreeAsync", 1);
      }
      other = plus(fresh(6), seven, 0).start(one);
      const bool right = y.to_host() == of(4) && other.to_host() == of(7);
      if (deferred)
        ASSERT_TRUE(right) << seed;
      else
        found += !right;
    }
  }
  EXPECT_GT(found, 0);
}

TEST_F(GpuQueues, AFailurePoisonsWhatComesOfIt) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Device device = fake::gpu();
    fake::delay(seed);
    const Queue one(device), two(device);
    const auto x = Tensor<i32, 1>::full(device, {6}, 3);
    auto y = fails(fresh(6), x, 1).start(one);
    auto z = plus(fresh(6), y, 1).start(two);
    auto well = fails(fresh(6), x, 0).start(one);
    auto after = plus(fresh(6), well, 1).start(two);
    auto both = plus(fresh(6), well, 1).start(one);
    to(out(both), z, 1).start(two);
    EXPECT_EQ(after.to_host(), of(4));
    for (const Tensor<i32, 1>* poisoned : {&z, &both, &y})
      EXPECT_ERROR(LaunchError, poisoned->to_host(), "a.cpp:7:3: kernel 'gpu_queue_fails', program 0: require failed: s is 0");
    device.synchronize(); // it is known by now
    y = fails(std::move(y), x, 0).start(two);
    EXPECT_EQ(y.to_host(), of(3));
    {
      auto lost = fails(fresh(6), x, 1).start(two);
    }
    EXPECT_ERROR(LaunchError, device.synchronize(), "a.cpp:7:3");
    device.synchronize();
  }
}

TEST_F(GpuQueues, ALaunchThatReadsPoisonFailsWhenItIsWaitedFor) {
  const Device device = fake::gpu();
  const auto x = Tensor<i32, 1>::full(device, {6}, 3);
  auto y = fails(fresh(6), x, 1).start();
  EXPECT_ERROR(LaunchError, plus(fresh(6), y, 1).sync(), "a.cpp:7:3");
}

TEST_F(GpuQueues, WhatManyLaunchesHaveToSayFitsIntoTheMemory) {
  const Device device = fake::gpu({.memory = std::size_t{40} << 18}); // each takes 2^18 bytes until it is listened to
  fake::delay(1);
  auto y = Tensor<i32, 1>::full(device, {6}, 3);
  for (int i = 0; i < 200; ++i)
    y = fails(fresh(6), y, 0).start();
  EXPECT_EQ(y.to_host(), of(3));
}

TEST_F(GpuQueues, PrioritiesAreThoseOfStreams) {
  const Device device = fake::gpu();
  const Queue low(device, Priority::low), normal(device), high(device, Priority::high);
  EXPECT_EQ(fake::priorities(), (std::vector<int>{-2, -2, 0, -2, -5})) << "the device's own, that for reading, and these";
}

TEST_F(GpuQueues, OfALostDeviceNothingIsUnderWay) {
  const Device device = fake::gpu();
  const auto x = Tensor<i32, 1>::full(device, {6}, 3);
  auto y = plus(fresh(6), x, 1).start();
  fake::fail_call("cuEventQuery", 700);
  EXPECT_TRUE(y.ready());
  EXPECT_ERROR(DriverError, y.to_host(), "asking how far a queue is: cuEventQuery failed");
}

TEST_F(GpuQueues, MemoryComesBackBeforeThereIsNone) {
  constexpr i64 n = 1000;
  const Device device = fake::gpu({.memory = 3 * 4 * n + 300});
  fake::delay(5);
  const Queue one(device), two(device);
  const auto x = Tensor<i32, 1>::full(device, {n}, 3);
  for (int i = 0; i < 20; ++i) {
    auto y = plus(fresh(n), x, i).start(i % 2 ? one : two);
    EXPECT_EQ(y.to_host()[0], 3 + i);
    auto gone = plus(fresh(n), y, i).start(two); // there is room for it when the last one is freed
  }
  auto y = plus(fresh(n), x, 1).start(one);
  auto z = plus(fresh(n), x, 2).start(two);
  EXPECT_MESSAGE(plus(fresh(n), x, 3).start(one), "has no memory for 4000 bytes; its tensors hold 12000 bytes");
  EXPECT_EQ(y.to_host()[0], 4);
  EXPECT_EQ(z.to_host()[n - 1], 5);
}

TEST_F(GpuQueues, ReadyAsksAndDoesNotWait) {
  const Device device = fake::gpu();
  const auto x = Tensor<i32, 1>::full(device, {6}, 3);
  fake::delay(3);
  const Queue one(device);
  auto y = plus(fresh(6), x, 1).start(one);
  auto z = plus(fresh(6), y, 1).start(one);
  while (!y.ready())
    EXPECT_FALSE(z.ready() && !y.ready());
  EXPECT_EQ(z.to_host(), of(5));
  EXPECT_TRUE(z.ready());
  EXPECT_TRUE(one.ready());
}

TEST_F(GpuQueues, RandomWorkIsAsIfDoneOneAfterTheOther) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Device device = fake::gpu();
    fake::delay(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::size_t>(random() % n); };
    std::vector<Queue> queues;
    for (int i = 0; i < 3; ++i)
      queues.emplace_back(device);
    std::vector<Tensor<i32, 1>> tensors;
    std::vector<int> numbers; // -1: poisoned
    for (int i = 0; i < 5; ++i) {
      tensors.push_back(Tensor<i32, 1>::full(device, {6}, i));
      numbers.push_back(i);
    }
    for (int step = 0; step < 150; ++step) {
      const std::size_t a = below(5), b = (a + 1 + below(4)) % 5;
      const Queue& queue = queues[below(3)];
      const int s = static_cast<int>(below(3));
      const bool bad = numbers[b] < 0;
      switch (below(6)) {
      case 0:
        tensors[a] = plus(std::move(tensors[a]), tensors[b], s).start(queue);
        numbers[a] = bad ? -1 : numbers[b] + s;
        break;
      case 1:
        tensors[a] = plus(fresh(6), tensors[b], s).start(queue);
        numbers[a] = bad ? -1 : numbers[b] + s;
        break;
      case 2:
        if (numbers[a] < 1 << 20 && numbers[b] < 1 << 20) {
          to(out(tensors[a]), tensors[b], s).start(queue);
          numbers[a] = bad || numbers[a] < 0 ? -1 : numbers[a] + numbers[b] + s;
        }
        break;
      case 3:
        fails(out(tensors[a]), tensors[b], s == 2 ? 1 : 0).start(queue);
        numbers[a] = bad || s == 2 ? -1 : numbers[b];
        break;
      case 4:
        tensors[a] = tensors[b].copy();
        numbers[a] = numbers[b];
        break;
      default:
        if (numbers[a] < 0)
          EXPECT_ERROR(LaunchError, tensors[a].to_host(), "a.cpp:7:3");
        else
          ASSERT_EQ(tensors[a].to_host(), of(numbers[a])) << seed << ", step " << step;
        tensors[a] = Tensor<i32, 1>::full(device, {6}, s);
        numbers[a] = s;
      }
    }
    for (std::size_t i = 0; i < 5; ++i)
      if (numbers[i] >= 0)
        EXPECT_EQ(tensors[i].to_host(), of(numbers[i])) << seed;
  }
}

} // namespace
