// Operations of any kernel in containers and threads.
#include "Adders.h"
#include "Expect.h"

#include <deque>
#include <map>
#include <thread>

namespace {

using namespace tegula;

void both(Out<i32, 4> y, Out<i32, 4> z) {
  y.store(zeros<i32, 4>());
  z.store(zeros<i32, 4>());
}

class AnyOps : public Adders {
protected:
  Shared<i32, 1> shared(i32 value) { return Tensor<i32, 1>::full(device, {6}, value).share(); }
  static std::vector<i32> of(i32 value) { return std::vector<i32>(6, value); }
  /// Adds s to x, and keeps the result.
  AnyOp job(const Shared<i32, 1>& x, i32 s) {
    return plus(fresh(6), x, s).then([this](Tensor<i32, 1> y) { result = std::move(y); });
  }
  Tensor<i32, 1> result;
};

TEST_P(AnyOps, RunLikeOperations) {
  const auto x = shared(3);
  job(x, 1).sync();
  EXPECT_EQ(result.to_host(), of(4));
  job(x, 2).start();
  EXPECT_EQ(result.to_host(), of(5));
  const Queue queue(device);
  job(x, 3).start(queue);
  EXPECT_EQ(result.to_host(), of(6));
  to(std::move(result), x, 3).then([&](Tensor<i32, 1> y) { result = std::move(y); }).sync();
  EXPECT_EQ(result.to_host(), of(12));
}

TEST_P(AnyOps, AreEmptyWhenMovedFromRunOrGivenUp) {
  const auto x = shared(3);
  AnyOp none, one = job(x, 1);
  EXPECT_FALSE(none);
  EXPECT_TRUE(one);
  AnyOp other = std::move(one);
  EXPECT_FALSE(one); // NOLINT(bugprone-use-after-move)
  std::move(other).sync();
  EXPECT_FALSE(other); // NOLINT(bugprone-use-after-move)
  const std::string why = " of an AnyOp that is empty: it was never made, moved from, run or given up";
  EXPECT_ERROR(LaunchError, std::move(other).sync(), "tegula: sync()" + why);
  EXPECT_ERROR(LaunchError, std::move(none).start(), "tegula: start()" + why);
  EXPECT_ERROR(LaunchError, std::move(none).start(device.queue()), "tegula: start()" + why);
  EXPECT_ERROR(LaunchError, std::move(none).cancel(), "tegula: cancel()" + why);
  result = {};
  other = job(x, 5);
  std::move(other).cancel();
  EXPECT_FALSE(other); // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(result.size(), 0) << "its function is not called";
}

TEST_P(AnyOps, OfSeveralOutputsPassThemInOrder) {
  const auto two = adders::defined<both>(
      GetParam(), "adders_both", [](const std::int64_t*, std::int64_t, std::int64_t, void*, void*) {}, [](void**, std::int64_t) {});
  bool called = false;
  AnyOp job = two(Tensor<i32, 1>::full(device, {6}, 1), Tensor<i32, 1>::full(device, {6}, 2))
                  .then([&](const Tensor<i32, 1>& y, const Tensor<i32, 1>& z) {
                    called = true;
                    EXPECT_EQ(y.to_host(), of(1));
                    EXPECT_EQ(z.to_host(), of(2));
                  });
  std::move(job).sync();
  EXPECT_TRUE(called);
}

TEST_P(AnyOps, HoldEverythingAfterAnError) {
  const auto x = shared(3);
  AnyOp failing = fails(Tensor<i32, 1>::full(device, {6}, 0), x, 1).then([&](Tensor<i32, 1> y) { result = std::move(y); });
  EXPECT_ERROR(LaunchError, std::move(failing).sync(), "require failed: s is 0");
  EXPECT_TRUE(failing); // NOLINT(bugprone-use-after-move)
  EXPECT_ERROR(LaunchError, std::move(failing).sync(), "require failed: s is 0");
  std::move(failing).start(); // and fails later
  EXPECT_FALSE(failing);      // NOLINT(bugprone-use-after-move)
  EXPECT_ERROR(LaunchError, result.to_host(), "require failed: s is 0");

  const Device elsewhere = Device::cpu(1);
  const Queue queue(elsewhere);
  AnyOp strays = job(x, 1);
  EXPECT_ERROR(LaunchError, std::move(strays).start(queue), "it is started on a queue of device 'cpu with 1 thread'");
  std::move(strays).sync();
  EXPECT_EQ(result.to_host(), of(4));
}

TEST_P(AnyOps, AreGoneWhenTheirFunctionThrows) {
  const auto x = shared(3);
  AnyOp job = plus(fresh(6), x, 1).then([](const Tensor<i32, 1>&) { throw Error("no use for it"); });
  EXPECT_MESSAGE(std::move(job).sync(), "no use for it");
  EXPECT_FALSE(job); // NOLINT(bugprone-use-after-move)
}

TEST_P(AnyOps, MayBeRefilledByTheirOwnFunction) {
  const auto x = shared(3);
  int times = 0;
  AnyOp job;
  const std::function<void(Tensor<i32, 1>)> again = [&](Tensor<i32, 1> y) {
    if (++times < 4)
      job = plus(fresh(6), std::move(y).share(), 1).then(again);
    else
      result = std::move(y);
  };
  job = plus(fresh(6), x, 1).then(again);
  while (job)
    std::move(job).start();
  EXPECT_EQ(result.to_host(), of(7));
}

TEST_P(AnyOps, SaySoWhenTheyAreDropped) {
  const auto x = shared(3);
  testing::internal::CaptureStderr();
  {
    std::vector<AnyOp> jobs;
    jobs.push_back(job(x, 1));
    jobs.push_back(job(x, 2));
    std::move(jobs[1]).sync();
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said,
            "tegula: an operation of kernel 'adders_plus' was dropped and never run; call sync() or start(), or cancel() to get "
            "its outputs back\n");
}

TEST_P(AnyOps, OfDifferentKernelsWaitInOneQueueForThreads) {
  for_each_order([&](unsigned seed) {
    const auto x = shared(3);
    std::mutex mutex;
    std::deque<AnyOp> jobs;
    std::map<i32, std::vector<i32>> results;
    for (i32 i = 0; i < 40; ++i) {
      auto keep = [&, i](const Tensor<i32, 1>& y) {
        const std::vector<i32> values = y.to_host();
        const std::lock_guard lock(mutex);
        results[i] = values;
      };
      if (i % 2)
        jobs.push_back(plus(fresh(6), x, i).then(keep));
      else
        jobs.push_back(to(Tensor<i32, 1>::full(device, {6}, i), x, 0).then(keep));
    }
    std::vector<std::thread> threads;
    for (int n = 0; n < 3; ++n)
      threads.emplace_back([&] {
        while (true) {
          AnyOp job;
          {
            const std::lock_guard lock(mutex);
            if (jobs.empty())
              return;
            job = std::move(jobs.front());
            jobs.pop_front();
          }
          std::move(job).start();
        }
      });
    for (std::thread& thread : threads)
      thread.join();
    for (i32 i = 0; i < 40; ++i)
      EXPECT_EQ(results[i], of(3 + i)) << seed;
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, AnyOps, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace
