// Work that is started and not waited for: its order, its memory, its errors.
#include "Expect.h"
#include "FakeCompiler.h"
#include "tegula/tegula.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace tegula;

void add(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s); }
// Recorded otherwise, so that they have code of their own; what they do is said by their programs.
void add_slowly(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s + 2); }
void add_or_fail(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s + 3); }
void add_to(InOut<i32, 4> y, In<i32, 4> x) { y.store(y.load() + x[y]); }

/// A gate that programs wait at, so that a test decides what is under way.
struct Gate {
  std::atomic<bool> open{false};
  std::atomic<int> waiting{0};
  void pass() {
    ++waiting;
    open.wait(false);
  }
  void let_through() {
    open = true;
    open.notify_all();
  }
  void await(int n) const {
    while (waiting < n)
      std::this_thread::yield();
  }
};
Gate* gate = nullptr;

/// Words: y, extent, stride; x, extent, stride; s.
void add_program(const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
  for (std::int64_t i = program * 4; i < program * 4 + 4 && i < w[1]; ++i)
    reinterpret_cast<i32*>(w[0])[i] = reinterpret_cast<const i32*>(w[3])[i] + static_cast<i32>(w[6]);
}
void slow_program(const std::int64_t* w, std::int64_t program, std::int64_t programs, void* context, void* scratch) {
  if (program == 0)
    gate->pass();
  add_program(w, program, programs, context, scratch);
}
void add_to_program(const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
  for (std::int64_t i = program * 4; i < program * 4 + 4 && i < w[1]; ++i)
    reinterpret_cast<i32*>(w[0])[i] += reinterpret_cast<const i32*>(w[3])[i];
}
/// Fails if s is not 0.
void failing_program(const std::int64_t* w, std::int64_t program, std::int64_t programs, void* context, void* scratch) {
  add_program(w, program, programs, context, scratch);
  if (program == 0 && static_cast<i32>(w[6]) != 0)
    tegula_cpu_assert_failed(context, 0, program, nullptr);
}

template <auto F, class Program> auto defined(const char* name, Program program, std::vector<Site> sites = {}) {
  fake::define(name, program, std::move(sites));
  Proof proof;
  proof.covered = {0};
  fake::prove(name, proof);
  return kernel<F>(name);
}
auto adding() { return defined<add>("queue add", add_program); }
auto adding_slowly() { return defined<add_slowly>("queue slow", slow_program); }
auto adding_to() { return defined<add_to>("queue add to", add_to_program); }
auto failing() {
  return defined<add_or_fail>("queue fails", failing_program, {{Site::Kind::assertion, {"a.cpp", 7, 3}, "s is 0", {}}});
}

class Queues : public testing::Test {
protected:
  void SetUp() override { gate = &gate_; }
  void TearDown() override { gate_.let_through(); }
  Tensor<i32, 1> full(i32 value) { return Tensor<i32, 1>::full(device, {6}, value); }
  static std::vector<i32> of(i32 value) { return std::vector<i32>(6, value); }
  Gate gate_;
  Device device = Device::cpu(2);
};

TEST_F(Queues, StartReturnsAtOnceAndReadersWait) {
  const Queue q(device);
  const auto slow = adding_slowly();
  auto x = full(3);
  auto y = slow(fresh(6), x, 1).start(q);
  gate_.await(1);
  EXPECT_FALSE(y.ready());
  EXPECT_FALSE(q.ready());
  std::thread opens([&] { gate_.let_through(); });
  EXPECT_EQ(y.to_host(), of(4));
  opens.join();
  EXPECT_TRUE(y.ready());
  q.sync();
  EXPECT_TRUE(q.ready());
}

TEST_F(Queues, IndependentWorkOverlaps) {
  const Queue one(device), two(device);
  const auto slow = adding_slowly();
  const auto x = full(3);
  auto y = slow(fresh(6), x, 1).start(one);
  auto z = slow(fresh(6), x, 2).start(two);
  gate_.await(2); // both are under way
  gate_.let_through();
  EXPECT_EQ(y.to_host(), of(4));
  EXPECT_EQ(z.to_host(), of(5));
}

TEST_F(Queues, WorkOfTwoQueuesOnOneTensorIsPutInOrder) {
  const Queue one(device), two(device);
  const auto slow = adding_slowly(), quick = adding();
  auto x = full(3);
  auto y = slow(fresh(6), x, 1).start(one);
  auto z = quick(fresh(6), y, 10).start(two);   // reads what is being written
  quick(out(x), z, 100).start(two);             // writes what is being read
  quick(out(y), x, 1000).start(device.queue()); // writes what was written and read
  EXPECT_FALSE(z.ready());
  gate_.let_through();
  EXPECT_EQ(z.to_host(), of(14));
  EXPECT_EQ(x.to_host(), of(114));
  EXPECT_EQ(y.to_host(), of(1114));
}

TEST_F(Queues, WhatWorkReadsMayBeChangedMovedOrDestroyed) {
  const Queue q(device);
  const auto slow = adding_slowly(), quick = adding();
  Tensor<i32, 1> y, z;
  {
    auto x = full(3);
    y = slow(fresh(6), x, 1).start(q);
    auto moved = std::move(x);
    z = quick(std::move(moved), y, 5).start(q); // waits for its reader
    auto gone = quick(fresh(6), z, 5).start(q);
  }
  y = full(0); // freed when its reader is done
  gate_.let_through();
  EXPECT_EQ(z.to_host(), of(9));
  device.synchronize();
  y = {};
  z = {};
  EXPECT_EQ(device.statistics().bytes_in_use, 0);
}

TEST_F(Queues, AQueueMayGoBeforeItsWork) {
  const auto slow = adding_slowly();
  const auto x = full(3);
  Tensor<i32, 1> y;
  {
    const Queue q(device);
    y = slow(fresh(6), x, 1).start(q);
  }
  const Queue again(device); // the same, perhaps
  auto z = adding()(fresh(6), x, 7).start(again);
  gate_.let_through();
  EXPECT_EQ(y.to_host(), of(4));
  EXPECT_EQ(z.to_host(), of(10));
}

TEST_F(Queues, AFailurePoisonsWhatWasToBeWrittenAndWhatComesOfIt) {
  const Queue one(device), two(device);
  const auto k = failing(), plus = adding();
  const auto x = full(3);
  auto y = k(fresh(6), x, 1).start(one);
  auto z = plus(fresh(6), y, 1).start(two);
  auto copied = z.copy();
  auto kept = plus(fresh(6), x, 1).start(two);
  auto sum = full(1);
  adding_to()(out(sum), z).start(one);
  for (const Tensor<i32, 1>* poisoned : {&z, &y, &copied, &sum})
    EXPECT_ERROR(LaunchError, poisoned->to_host(), "a.cpp:7:3: kernel 'queue fails', program 0: require failed: s is 0");
  EXPECT_ERROR(LaunchError, y.sync(), "a.cpp:7:3");
  EXPECT_ERROR(LaunchError, y.view().to_host(), "a.cpp:7:3");
  EXPECT_EQ(kept.to_host(), of(4));
  device.synchronize(); // somebody has seen it

  y = k(std::move(y), x, 0).start(one); // all of it is written again
  EXPECT_EQ(y.to_host(), of(3));
  EXPECT_ERROR(LaunchError, adding_to()(std::move(sum), y).sync(), "a.cpp:7:3"); // what is changed in part is not
}

TEST_F(Queues, AnErrorThatNobodySawIsThrownOnce) {
  const Queue q(device);
  const auto k = failing();
  const auto x = full(3);
  {
    auto lost = k(fresh(6), x, 1).start(q);
  }
  EXPECT_ERROR(LaunchError, q.sync(), "a.cpp:7:3");
  q.sync();
  {
    auto lost = k(fresh(6), x, 1).start(q);
    auto also = k(fresh(6), x, 2).start();
  }
  EXPECT_ERROR(LaunchError, device.synchronize(), "a.cpp:7:3");
  EXPECT_ERROR(LaunchError, device.synchronize(), "a.cpp:7:3");
  device.synchronize();
}

TEST_F(Queues, AFailedSyncKeepsTheOperation) {
  const auto k = failing();
  const auto x = full(3);
  auto op = k(full(7), x, 1);
  EXPECT_ERROR(LaunchError, std::move(op).sync(), "a.cpp:7:3");
  EXPECT_EQ(std::move(op).cancel().to_host()[0], 4) << "who gives it up gets what there is";
  auto fails = k(Tensor<i32, 1>::uninit(device, {6}), x, 1);
  EXPECT_ERROR(LaunchError, std::move(fails).sync(), "a.cpp:7:3");
  const auto unwritten = std::move(fails).cancel();
  EXPECT_MESSAGE(unwritten.to_host(), "has never been written");
  auto y = full(7);
  EXPECT_ERROR(LaunchError, k(out(y), x, 1).sync(), "a.cpp:7:3");
  EXPECT_ERROR(LaunchError, y.to_host(), "a.cpp:7:3");
  k(out(y), x, 0).sync();
  EXPECT_EQ(y.to_host(), of(3));
  device.synchronize();
}

TEST_F(Queues, CancelForgivesOnlyTheOperationsOwnFailure) {
  const auto x = full(3);
  const auto on_another = Tensor<i32, 1>::full(Device::cpu(), {6}, 3);
  const auto poisoned = [&] { return failing()(fresh(6), x, 1).start(); };
  auto refused = adding()(poisoned(), on_another, 1);
  EXPECT_ERROR(LaunchError, std::move(refused).sync(), "all must be on one");
  const auto still = std::move(refused).cancel();
  EXPECT_ERROR(LaunchError, still.to_host(), "a.cpp:7:3");
  auto inherits = adding_to()(poisoned(), x);
  EXPECT_ERROR(LaunchError, std::move(inherits).sync(), "a.cpp:7:3");
  const auto also = std::move(inherits).cancel();
  EXPECT_ERROR(LaunchError, also.to_host(), "a.cpp:7:3");
  auto made = failing()(fresh(6), x, 1);
  EXPECT_ERROR(LaunchError, std::move(made).sync(), "a.cpp:7:3");
  const auto unwritten = std::move(made).cancel();
  EXPECT_MESSAGE(unwritten.to_host(), "has never been written");
  device.synchronize();
}

TEST_F(Queues, EachQueueTellsItsOwnErrors) {
  const Queue one(device), two(device);
  const auto x = full(3);
  {
    auto lost = failing()(fresh(6), x, 1).start(two);
  }
  two.ready();
  one.sync();
  EXPECT_ERROR(LaunchError, two.sync(), "a.cpp:7:3");
}

TEST_F(Queues, AQueueTellsNoErrorsOfWhoHadItBefore) {
  const auto x = full(3);
  {
    const Queue before(device);
    const auto lost = failing()(fresh(6), x, 1).start(before);
    while (!lost.ready())
      std::this_thread::yield();
  }
  const Queue after(device);
  EXPECT_NO_THROW(after.sync());
  EXPECT_ERROR(LaunchError, device.synchronize(), "a.cpp:7:3");
}

TEST_F(Queues, ANewQueueDoesNotStandBehindOldWork) {
  const auto x = full(3);
  Tensor<i32, 1> y;
  {
    const Queue before(device);
    y = adding_slowly()(fresh(6), x, 1).start(before);
  }
  const Queue after(device);
  EXPECT_EQ(adding()(fresh(6), x, 5).start(after).to_host(), of(8));
  EXPECT_FALSE(y.ready());
  gate_.let_through();
  EXPECT_EQ(y.to_host(), of(4));
}

TEST_F(Queues, FailuresThatAreTooManyToListAreCounted) {
  testing::internal::CaptureStderr();
  {
    const Device d = Device::cpu(1);
    const auto k = failing();
    const auto x = Tensor<i32, 1>::full(d, {6}, 3);
    for (int i = 0; i < 1024 + 7; ++i)
      const auto lost = k(fresh(6), x, 1).start();
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("tegula: 7 more failures of work, at whose results nobody looked, are not listed"), std::string::npos)
      << said.substr(0, 300);
}

TEST_F(Queues, WhatNobodySawIsOnTheStandardErrorWhenTheDeviceGoes) {
  testing::internal::CaptureStderr();
  {
    const Device own = Device::cpu(2);
    const auto x = Tensor<i32, 1>::full(own, {6}, 1);
    auto lost = failing()(fresh(6), x, 1).start();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tegula: work failed, and nobody looked at its results: a.cpp:7:3: kernel 'queue fails', program 0: require failed: s "
            "is 0\n");
}

TEST_F(Queues, APrintSinkUsesNoTensors) {
  static Tensor<i32, 1>* read = nullptr;
  static std::string said;
  auto x = full(3);
  read = &x;
  set_print_sink([](void*, const char*, std::size_t) {
    try {
      (void)read->to_host();
    } catch (const Error& error) {
      said = error.what();
    }
  });
  fake::define("queue prints",
               [](const std::int64_t* w, std::int64_t program, std::int64_t programs, void* context, void* scratch) {
                 add_program(w, program, programs, context, scratch);
                 if (program == 0)
                   tegula_cpu_print(context, 0, program, nullptr);
               },
               {{Site::Kind::print, {"a.cpp", 8, 3}, "here", {}}});
  const auto k = kernel("queue prints", [](Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s + 9); });
  auto y = k(full(0), x, 1).start();
  EXPECT_EQ(y.to_host(), of(4));
  set_print_sink(nullptr);
  EXPECT_EQ(said, "tegula: a print sink may not use tensors: the launch whose line it was given is not over");
}

TEST_F(Queues, APrintSinkMayEndTheDevice) {
  static std::optional<Device> own;
  static std::optional<Tensor<i32, 1>> input;
  static std::atomic<bool> ended;
  own.emplace(Device::cpu(2));
  input.emplace(Tensor<i32, 1>::full(*own, {6}, 3));
  ended = false;
  fake::define("queue ends",
               [](const std::int64_t*, std::int64_t program, std::int64_t, void* context, void*) {
                 if (program == 0)
                   tegula_cpu_print(context, 0, program, nullptr);
               },
               {{Site::Kind::print, {"a.cpp", 8, 3}, "here", {}}});
  set_print_sink([](void*, const char*, std::size_t) {
    own.reset(); // the last owners, on the device's own thread
    input.reset();
    ended = true;
  });
  const auto k = kernel("queue ends", [](Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s + 11); });
  {
    auto y = k(fresh(6), *input, 1).start();
  }
  while (!ended)
    std::this_thread::yield();
  set_print_sink(nullptr);
}

TEST_F(Queues, AForkedProcessCanEndADeviceThatHadQueues) {
  std::optional<Device> own(Device::cpu(2));
  {
    const auto x = Tensor<i32, 1>::full(*own, {6}, 3);
    adding()(fresh(6), x, 1).start(Queue(*own)).sync();
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    own.reset();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(Queues, AQueueIsOfOneDevice) {
  const Queue elsewhere(Device::cpu());
  const auto x = full(3);
  auto op = adding()(fresh(6), x, 1);
  EXPECT_ERROR(
      LaunchError, std::move(op).start(elsewhere),
      "kernel 'queue add' was not launched: it is started on a queue of device 'cpu', but its arguments are on device 'cpu "
      "with 2 threads'");
  EXPECT_EQ(std::move(op).start().to_host(), of(4));
}

TEST_F(Queues, EachPriorityHasAQueueOfTheDevice) {
  const auto x = full(3);
  std::vector<Tensor<i32, 1>> results;
  for (const Priority priority : {Priority::low, Priority::normal, Priority::high, Priority::low})
    results.push_back(adding()(fresh(6), x, 1).start(device.queue(priority)));
  for (const auto& y : results)
    EXPECT_EQ(y.to_host(), of(4));
}

TEST_F(Queues, ItemIsTheOnlyElement) {
  EXPECT_EQ((Tensor<f32, 0>::full(device, {}, 2.5f).item()), 2.5f);
  EXPECT_EQ((Tensor<bool, 1>::full(device, {1}, true).item()), true);
  EXPECT_MESSAGE(full(3).item(), "tegula: item() of 6 elements: it is for a tensor that has one");
}

TEST_F(Queues, WorkThatIsUnderWayWhenTheDeviceGoesIsDone) {
  const auto slow = adding_slowly();
  {
    const Device own = Device::cpu(2);
    const auto x = Tensor<i32, 1>::full(own, {6}, 1);
    auto y = slow(fresh(6), x, 1).start();
    gate_.await(1);
    std::thread([&] { gate_.let_through(); }).detach();
  }
  EXPECT_TRUE(gate_.open);
}

/// Tensors are changed by work of any queue and any thread, in an order that the program says; a vector of numbers beside each goes
/// the same way one by one.
TEST_F(Queues, RandomWorkIsAsIfDoneOneAfterTheOther) {
  const int threads = 4, steps = 300;
  const auto plus = adding();
  const auto to = adding_to();
  const auto fails = failing();
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::size_t>(random() % n); };
    std::vector<Queue> queues;
    for (int i = 0; i < 3; ++i)
      queues.emplace_back(device);
    std::vector<Tensor<i32, 1>> tensors;
    std::vector<int> expected; // -1: poisoned
    for (int i = 0; i < 5; ++i) {
      tensors.push_back(full(i));
      expected.push_back(i);
    }
    for (int step = 0; step < steps; ++step) {
      const std::size_t a = below(5), b = (a + 1 + below(4)) % 5;
      const Queue& queue = queues[below(3)];
      const int s = static_cast<int>(below(3));
      const bool bad = expected[b] < 0;
      switch (below(7)) {
      case 0:
        tensors[a] = plus(std::move(tensors[a]), tensors[b], s).start(queue);
        expected[a] = bad ? -1 : expected[b] + s;
        break;
      case 1:
        plus(out(tensors[a]), tensors[b], s).start(queue);
        expected[a] = bad ? -1 : expected[b] + s;
        break;
      case 2:
        tensors[a] = plus(fresh(6), tensors[b], s).start(queue);
        expected[a] = bad ? -1 : expected[b] + s;
        break;
      case 3:
        if (expected[a] < 1 << 20 && expected[b] < 1 << 20) {
          to(out(tensors[a]), tensors[b]).start(queue);
          expected[a] = bad || expected[a] < 0 ? -1 : expected[a] + expected[b];
        }
        break;
      case 4:
        fails(out(tensors[a]), tensors[b], s == 2 ? 1 : 0).start(queue);
        expected[a] = bad || s == 2 ? -1 : expected[b];
        break;
      case 5:
        tensors[a] = tensors[b].copy();
        expected[a] = expected[b];
        break;
      default:
        if (expected[a] < 0)
          EXPECT_ERROR(LaunchError, tensors[a].to_host(), "a.cpp:7:3");
        else
          EXPECT_EQ(tensors[a].to_host(), of(expected[a]));
        tensors[a] = full(s);
        expected[a] = s;
      }
    }
    for (std::size_t i = 0; i < 5; ++i)
      if (expected[i] >= 0)
        EXPECT_EQ(tensors[i].to_host(), of(expected[i]));
  };
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back(work, static_cast<unsigned>(i));
  for (std::thread& thread : all)
    thread.join();
  for (bool more = true; more;) {
    try {
      device.synchronize();
      more = false;
    } catch (const LaunchError&) { // of tensors that nobody looked at
    }
  }
  EXPECT_EQ(device.statistics().bytes_in_use, 0);
}

} // namespace
