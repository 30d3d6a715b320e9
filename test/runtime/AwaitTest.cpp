// Coroutines that wait for work, on the CPU and on a GPU whose work is done as late as it may be.
#include "Adders.h"
#include "Expect.h"
#include "lib/runtime/Poller.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <limits>
#include <memory>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace tegula;

std::vector<i32> of(i32 value) { return std::vector<i32>(6, value); }

/// What coroutines use, which hold it.
struct Uses {
  Device device;
  Adders::Plus plus, fails;
  Adders::To to;

  Tensor<i32, 1> full(i32 value) const { return Tensor<i32, 1>::full(device, {6}, value); }
  /// Adds s to x, n times.
  Task<Tensor<i32, 1>> add(Tensor<i32, 1> x, i32 s, int n) const { return add_with(plus, std::move(x), s, n); }

private:
  static Task<Tensor<i32, 1>> add_with(Adders::Plus plus, Tensor<i32, 1> x, i32 s, int n) {
    for (int i = 0; i < n; ++i)
      x = co_await plus(fresh(6), x, s);
    co_return x;
  }
};

Task<i32> first(Shared<i32, 1> x) {
  co_await x;
  co_return x.to_host()[0];
}

class Awaits : public Adders {
public:
  Uses uses() const { return {device, plus, fails, to}; }
  Tensor<i32, 1> full(i32 value) const { return uses().full(value); }
  Task<Tensor<i32, 1>> add(Tensor<i32, 1> x, i32 s, int n) const { return uses().add(std::move(x), s, n); }
};

// What is the same on both, or cannot be on one, or is no matter of the fake driver.
class AwaitsOnCpu : public Awaits {};
class AwaitsOnGpu : public Awaits {};

TEST_P(Awaits, AnOperationReturnsItsOutputs) {
  for_each_order([&](unsigned seed) { EXPECT_EQ(add(full(3), 2, 5).sync().to_host(), of(13)) << seed; });
}

TEST_P(Awaits, WhatIsLentIsWrittenThen) {
  for_each_order([&](unsigned seed) {
    const auto writes = [](Uses test, Tensor<i32, 1> y) -> Task<Tensor<i32, 1>> {
      const auto x = test.full(3);
      co_await test.to(out(y), x, 1);
      EXPECT_TRUE(y.ready());
      co_return y;
    };
    EXPECT_EQ(writes(uses(), full(0)).sync().to_host(), of(4)) << seed;
  });
}

TEST_P(Awaits, TensorsOfAnyQueueAreAwaited) {
  for_each_order([&](unsigned seed) {
    const auto reads = [](Uses test) -> Task<i32> {
      const Queue queue(test.device);
      const auto x = test.full(3);
      auto y = co_await test.plus(fresh(6), x, 1).start(queue);
      EXPECT_TRUE(y.ready());
      auto z = test.plus(fresh(6), y, 1).start(queue);
      co_await z;
      EXPECT_TRUE(z.ready());
      const Shared<i32, 1> shared = test.plus(fresh(6), z, 1).start(queue).share();
      co_await shared;
      EXPECT_TRUE(shared.ready());
      co_return co_await first(shared);
    };
    EXPECT_EQ(reads(uses()).sync(), 6) << seed;
  });
}

TEST_P(Awaits, TheErrorOfWorkIsThrownThere) {
  for_each_order([&](unsigned seed) {
    const auto fail = [](Uses test, std::shared_ptr<Tensor<i32, 1>> kept, bool lent) -> Task<i32> {
      Tensor<i32, 1>& y = *kept;
      const auto x = test.full(3);
      std::exception_ptr error;
      try {
        if (lent)
          co_await test.fails(out(y), x, 1);
        else
          co_await test.fails(fresh(6), x, 1).start();
      } catch (const LaunchError&) {
        error = std::current_exception();
      }
      co_await test.plus(out(y), x, 4); // well again
      std::rethrow_exception(error);
      co_return 0;
    };
    for (const bool lent : {true, false}) {
      const auto y = std::make_shared<Tensor<i32, 1>>(full(0));
      EXPECT_ERROR(LaunchError, static_cast<void>(fail(uses(), y, lent).sync()), "a.cpp:7:3");
      EXPECT_EQ(y->to_host(), of(7)) << seed;
    }
    device.synchronize(); // somebody knows of it
  });
}

TEST_P(Awaits, AnOperationThatCannotStartIsStillThere) {
  const auto wrong = [](Uses test) -> Task<> {
    Tensor<i32, 1> x = test.full(3), given = test.full(0);
    const Device other = Device::cpu(1);
    const auto elsewhere = Tensor<i32, 1>::full(other, {6}, 1);
    auto op = test.plus(std::move(given), elsewhere, 1);
    try {
      co_await std::move(op);
      ADD_FAILURE();
    } catch (const LaunchError&) {
    }
    given = std::move(op).cancel();
    EXPECT_EQ(given.to_host(), of(0));
    Tensor<i32, 1> empty;
    co_await empty;
  };
  EXPECT_MESSAGE(wrong(uses()).sync(), "co_await of a tensor that was moved from or never made");
}

TEST_P(Awaits, AnOperationWithoutProgramsIsDone) {
  const auto none = [](Uses test) -> Task<i64> {
    const auto x = Tensor<i32, 1>::zeros(test.device, {0});
    co_return (co_await test.plus(fresh(0), x, 1)).size();
  };
  EXPECT_EQ(none(uses()).sync(), 0);
}

TEST_P(Awaits, TasksWaitForTasks) {
  const auto outer = [](Uses test) -> Task<std::vector<i32>> {
    auto a = test.add(test.full(1), 1, 3).start(); // both are under way
    auto b = test.add(test.full(2), 2, 3).start();
    const auto x = co_await test.add(test.full(0), 1, 1); // begins here
    auto sum = co_await std::move(a);
    const auto other = co_await std::move(b);
    co_await test.to(out(sum), other, 0);
    co_await test.to(out(sum), x, 0);
    co_return sum.to_host();
  };
  for_each_order([&](unsigned seed) { EXPECT_EQ(outer(uses()).sync(), of(4 + 8 + 1)) << seed; });
}

TEST_P(Awaits, DeepTasksTakeNoStack) {
  const auto last = [](int n) -> Task<int> { co_return n; };
  const auto many = []() -> Task<int> {
    const decltype(last) one;
    int sum = 0;
    for (int i = 0; i < 100000; ++i)
      sum += co_await one(1);
    co_return sum;
  };
  EXPECT_EQ(many().sync(), 100000);
}

TEST_P(Awaits, ATaskIsUsedOnce) {
  auto task = add(full(1), 1, 1).start();
  EXPECT_MESSAGE(static_cast<void>(std::move(task).start()), "start() of a task that has been started");
  EXPECT_EQ(std::move(task).sync().to_host(), of(2));
  EXPECT_MESSAGE(static_cast<void>(std::move(task).sync()), "sync() of a task that was moved from, or has been waited for");
}

TEST_P(Awaits, ExceptionsPassThroughTasks) {
  const auto inner = []() -> Task<> {
    throw Error("from within");
    co_return;
  };
  const auto outer = []() -> Task<i32> {
    const decltype(inner) within;
    co_await within();
    co_return 1;
  };
  EXPECT_MESSAGE(static_cast<void>(outer().sync()), "from within");
}

TEST_P(Awaits, ManyAreUnderWayAtOnce) {
  constexpr int n = 10000;
  std::vector<Task<Tensor<i32, 1>>> tasks;
  tasks.reserve(n);
  for (int i = 0; i < n; ++i)
    tasks.push_back(add(full(i), 1, 2).start());
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(std::move(tasks[static_cast<std::size_t>(i)]).sync().to_host(), of(i + 2));
}

TEST_P(Awaits, OneThatIsDroppedGoesNoFurther) {
  for_each_order([&](unsigned seed) {
    auto counter = std::make_shared<int>(0);
    const auto y = std::make_shared<Tensor<i32, 1>>(full(0));
    const auto counts = [](Uses test, std::shared_ptr<int> counter, std::shared_ptr<Tensor<i32, 1>> y) -> Task<> {
      const auto x = test.full(3);
      while (true) {
        co_await test.to(out(*y), x, 0);
        co_await test.add(x.copy(), 1, 1);
        ++*counter;
      }
    };
    {
      auto task = counts(uses(), counter, y).start();
      auto never = counts(uses(), counter, y);
      if (seed % 2)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    EXPECT_EQ(counter.use_count(), 1) << "all of it is gone";
    EXPECT_EQ(y->to_host()[0] % 3, 0) << seed;
    EXPECT_GE(y->to_host()[0] / 3, *counter);
  });
  device.synchronize();
}

TEST_P(Awaits, WaitingInTheThreadThatResumesWorks) {
  const auto waits = [](Uses test) -> Task<i32> {
    const auto x = co_await test.add(test.full(1), 1, 3);
    auto y = test.plus(fresh(6), x, 1).sync();
    const Tensor<i32, 1> z = test.add(std::move(y), 1, 2).sync(); // a task that the same thread must resume
    co_return z.to_host()[0];
  };
  for_each_order([&](unsigned seed) { EXPECT_EQ(waits(uses()).sync(), 7) << seed; });
}

TEST_P(AwaitsOnGpu, OfALostDeviceIsAnError) {
  fake::delay(1);
  auto task = add(full(1), 1, 3).start();
  fake::fail_call("cuEventQuery", 700);
  EXPECT_ERROR(DriverError, static_cast<void>(std::move(task).sync()), "cuEventQuery failed");
}

TEST_P(AwaitsOnCpu, TheDeviceMayBeForgottenMeanwhile) {
  const auto late = [](Uses test) -> Task<i32> {
    std::optional<Tensor<i32, 1>> y;
    {
      const Device own = Device::cpu(1);
      const auto x = Tensor<i32, 1>::full(own, {6}, 3);
      y = co_await test.plus(fresh(6), x, 1);
    }
    co_await *y;
    const i32 result = y->to_host()[0];
    y.reset(); // and the device with it, in this thread
    co_return result;
  };
  EXPECT_EQ(late(uses()).sync(), 4);
}

/// Time of this process's CPUs, while it waits for work that takes long.
TEST_P(AwaitsOnCpu, WaitingCostsLittle) {
  fake::define("await sleeps", [](const std::int64_t*, std::int64_t program, std::int64_t, void*, void*) {
    if (program == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
  });
  const auto sleeps = kernel("await sleeps", [](Out<i32, 8> y) { y.store(zeros<i32, 8>() + 17); });
  const auto waits = [](Kernel<Out<i32, 8>> sleeps, Device device) -> Task<> { co_await sleeps(fresh(device, 6)); };
  const Device own = Device::cpu(1);
  const std::clock_t before = std::clock();
  waits(sleeps, own).sync();
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 10);
}

TEST_P(AwaitsOnCpu, APrintSinkMayNot) {
  fake::define("await prints",
               [](const std::int64_t*, std::int64_t program, std::int64_t, void* context, void*) {
                 tegula_cpu_print(context, 0, program, nullptr);
               },
               {{Site::Kind::print, {"a.cpp", 1, 1}, "line", {}}});
  const auto prints = kernel("await prints", [](Out<i32, 8> y) { y.store(zeros<i32, 8>() + 18); });
  static const Awaits* test;
  static std::optional<Shared<i32, 1>> x;
  static std::optional<Task<Tensor<i32, 1>>> waiting;
  static std::vector<std::string> errors;
  static std::atomic<bool> is_waiting;
  test = this;
  errors.clear();
  is_waiting = false;
  x.emplace(full(1).share());
  set_print_sink([](void*, const char*, std::size_t) {
    is_waiting.wait(false);
    errors.push_back(message_of<Error>([] { static_cast<void>(first(*x).sync()); }));
    errors.push_back(message_of<Error>([] { static_cast<void>(test->add(test->full(1), 1, 1).sync()); }));
    errors.push_back(message_of<Error>([] { static_cast<void>(std::move(*waiting).sync()); }));
  });
  const auto behind = [](Uses test, Kernel<Out<i32, 8>> prints) -> Task<Tensor<i32, 1>> {
    co_return co_await prints(fresh(test.device, 6));
  };
  {
    const std::lock_guard wait(runtime::Poller::instance().resuming); // until the line is printed, it cannot be over
    waiting.emplace(behind(uses(), prints).start());
    is_waiting = true;
    is_waiting.notify_all();
    device.queue().sync();
  }
  set_print_sink(nullptr);
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_NE(errors[0].find("a print sink may not use tensors"), std::string::npos) << errors[0];
  EXPECT_NE(errors[1].find("it is launched by a print sink"), std::string::npos) << errors[1];
  EXPECT_NE(errors[2].find("a print sink may not use tensors"), std::string::npos) << errors[2];
  EXPECT_EQ(std::move(*waiting).sync().size(), 6);
  waiting.reset();
  x.reset();
}

TEST_P(AwaitsOnCpu, AForkedProcessIsToldAndEnds) {
  auto task = add(full(1), 1, 1000).start();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const bool told = message_of<Error>([&] { static_cast<void>(std::move(task).sync()); }).find("forked") != std::string::npos;
    {
      const auto dropped = std::move(task);
    }
    _exit(told ? 7 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  EXPECT_EQ(std::move(task).sync().to_host(), of(1001));
}

/// Leaves a coroutine that never ends, and a static one that is waited for when nobody else resumes it any more.
[[noreturn]] void end_with_coroutines(const Awaits& test) {
  static struct Late {
    std::optional<Task<Tensor<i32, 1>>> task, endless;
    ~Late() { std::_Exit(std::move(*task).sync().to_host() == of(101) ? 9 : 1); }
  } late;
  late.task.emplace(test.add(test.full(1), 1, 100).start());
  late.endless.emplace(test.add(test.full(1), 1, std::numeric_limits<int>::max()).start());
  std::exit(1);
}
TEST_P(AwaitsOnCpu, AProcessMayEndWhileCoroutinesWait) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with_coroutines(*this), testing::ExitedWithCode(9), "");
}

INSTANTIATE_TEST_SUITE_P(Device, AwaitsOnCpu, testing::Values(Kind::cpu), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Device, AwaitsOnGpu, testing::Values(Kind::gpu), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Devices, Awaits, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace
