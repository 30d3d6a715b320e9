// A host without memory: each allocation that a program makes is refused once. What it was to do is an error then, nothing is lost,
// and the same works afterwards.
#include "test/runtime/Adders.h"
#include "test/runtime/Expect.h"

#include <new>
#include <string>

namespace {

/// How many allocations of this thread succeed before one is refused; negative if none is.
thread_local long granted = -1;
bool is_refused() { return granted >= 0 && !fake::is_inside_driver() && granted-- == 0; }

} // namespace

// The others of the language come down to these.
void* operator new(std::size_t bytes) {
  void* memory = is_refused() ? nullptr : std::malloc(bytes ? bytes : 1);
  return memory ? memory : throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  void* memory = is_refused() ? nullptr : std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
  return memory ? memory : throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

using namespace tegula;

class WithoutMemory : public Adders {
public:
  Tensor<i32, 1> numbers(i32 first) const {
    std::vector<i32> all(8);
    for (i32& each : all)
      each = first++;
    return Tensor<i32, 1>::from_host(device, {8}, all);
  }

  static std::string text_of(const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      return "no memory";
    } catch (const std::exception& other) {
      return other.what();
    }
  }

  /// Does it as often as it allocates, each time without one more of the allocations, and then as often as it likes. `prepare`
  /// makes what `act` is given; `check` looks at it after an `act` that came to its end.
  template <class Prepare, class Act, class Check> void refuse_each(const Prepare& prepare, const Act& act, const Check& check) {
    long refused = 0;
    for (bool through = false; !through; ++refused) {
      {
        auto state = prepare();
        std::exception_ptr error;
        granted = refused;
        try {
          act(state);
        } catch (...) {
          error = std::current_exception();
        }
        through = granted >= 0;
        granted = -1;
        if (error)
          EXPECT_NE(text_of(error).find("no memory"), std::string::npos) << text_of(error);
        try {
          device.synchronize();
        } catch (const Error& of_work) { // which found no memory while it ran
          error = std::current_exception();
          EXPECT_NE(std::string(of_work.what()).find("the host has no memory for what kernels need"), std::string::npos);
        }
        if (error) // some do without
          act(state);
        check(state);
      }
      device.synchronize();
      ASSERT_EQ(device.statistics().bytes_in_use, 0) << "after allocation " << refused << " was refused";
      ASSERT_LT(refused, 10000);
    }
    EXPECT_GT(refused, 1) << "it allocates nothing";
  }
};

std::vector<i32> counting(i32 first, int n = 8) {
  std::vector<i32> all(static_cast<std::size_t>(n));
  for (i32& each : all)
    each = first++;
  return all;
}

TEST_P(WithoutMemory, LaunchesOnQueues) {
  struct State {
    Queue q1, q2;
    Tensor<i32, 1> x, y, z;
  };
  refuse_each([&] { return State{Queue(device), Queue(device), numbers(0), numbers(0), {}}; },
              [&](State& s) {
                s.z = plus(fresh(8), s.x, 1).start(s.q1);
                s.y = plus(fresh(8), s.z, 1).start(s.q2);
                plus(out(s.z), s.x, 2).start(s.q2);
                plus(out(s.y), s.z, 2).start(s.q1);
              },
              [&](State& s) {
                EXPECT_EQ(s.z.to_host(), counting(2));
                EXPECT_EQ(s.y.to_host(), counting(4));
              });
}

TEST_P(WithoutMemory, LaunchesThatAreWaitedFor) {
  struct State {
    Tensor<i32, 1> x, y;
  };
  refuse_each([&] { return State{numbers(0), numbers(100)}; }, [&](State& s) { plus(out(s.y), s.x, 1).sync(); },
              [&](State& s) { EXPECT_EQ(s.y.to_host(), counting(1)); });
}

TEST_P(WithoutMemory, CopiesAndFills) {
  struct State {
    Queue q1, q2;
    Tensor<i32, 1> x, y;
    Pinned<i32> pinned;
  };
  refuse_each([&] { return State{Queue(device), Queue(device), numbers(0), numbers(100), Pinned<i32>(device, 8)}; },
              [&](State& s) {
                s.y.fill(3).start(s.q1);
                s.y.copy_from(s.x).start(s.q2);
                s.y.copy_to(s.pinned).start(s.q1);
                s.x = s.y.copy();
              },
              [&](State& s) {
                EXPECT_EQ(s.pinned.to_host(), counting(0));
                EXPECT_EQ(s.x.to_host(), counting(0));
              });
}

TEST_P(WithoutMemory, Parts) {
  struct State {
    Queue q1, q2;
    Tensor<i32, 1> x, whole, low, high;
    bool is_split = false;
  };
  refuse_each([&] { return State{Queue(device), Queue(device), numbers(0), numbers(100), {}, {}}; },
              [&](State& s) {
                if (!s.is_split) {
                  auto [low, high] = std::move(s.whole).split<0>(4);
                  s.low = std::move(low);
                  s.high = std::move(high);
                  s.is_split = true;
                }
                const auto first = s.x.view().slice(0, 0, 4);
                plus(out(s.low), first, 1).start(s.q1);
                plus(out(s.high), first, 2).start(s.q2);
                s.whole = join(std::move(s.low), std::move(s.high));
              },
              [&](State& s) { EXPECT_EQ(s.whole.to_host(), (std::vector<i32>{1, 2, 3, 4, 2, 3, 4, 5})); });
}

TEST_P(WithoutMemory, RecordingsAndReplays) {
  struct State {
    Queue queue;
    Tensor<i32, 1> x, y;
    std::optional<Graph> graph;
  };
  refuse_each([&] { return State{Queue(device), numbers(0), numbers(100), {}}; },
              [&](State& s) {
                if (!s.graph) {
                  Recorder recorder(device);
                  const auto between = plus(fresh(8), s.x, frozen(1)).start(recorder);
                  s.y.fill(5).start(recorder);
                  to(out(s.y), between, frozen(1)).start(recorder);
                  s.graph = std::move(recorder).finish();
                }
                s.graph->start(s.queue);
                s.graph->sync();
              },
              [&](State& s) { EXPECT_EQ(s.y.to_host(), counting(7)); });
}

TEST_P(WithoutMemory, OperationsForOthersAndTasks) {
  struct State {
    Shared<i32, 1> x;
    Tensor<i32, 1> y, z;
  };
  refuse_each([&] { return State{numbers(0).share(), {}, {}}; },
              [&](State& s) {
                AnyOp job = plus(fresh(8), s.x, 1).then([&s](Tensor<i32, 1> y) { s.y = std::move(y); });
                std::move(job).start();
                s.z = [](Plus plus,
                         Shared<i32, 1> x) -> Task<Tensor<i32, 1>> { co_return co_await plus(fresh(8), x, 2); }(plus, s.x).sync();
              },
              [&](State& s) {
                EXPECT_EQ(s.y.to_host(), counting(1));
                EXPECT_EQ(s.z.to_host(), counting(2));
              });
}

/// Nothing is thrown by who drops a tensor, and nothing is freed under work that uses it.
TEST_P(WithoutMemory, WhatIsDroppedMeanwhile) {
  for_each_order([&](unsigned) {
    for (long refused = 0; refused < 40; ++refused) {
      const Queue q1(device), q2(device);
      std::optional<Tensor<i32, 1>> x(numbers(0));
      auto a = plus(fresh(8), *x, 1).start(q1);
      auto b = plus(fresh(8), *x, 2).start(q2);
      auto [low, high] = numbers(10).split<0>(4);
      auto c = plus(fresh(4), low, 3).start(q1);
      auto d = plus(fresh(4), high, 3).start(q2);
      granted = refused;
      x.reset();
      {
        const auto first = std::move(low), second = std::move(high);
      }
      granted = -1;
      const auto other = numbers(50); // in freed memory
      EXPECT_EQ(a.to_host(), counting(1));
      EXPECT_EQ(b.to_host(), counting(2));
      EXPECT_EQ(c.to_host(), counting(13, 4));
      EXPECT_EQ(d.to_host(), counting(17, 4));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Device, WithoutMemory, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace
