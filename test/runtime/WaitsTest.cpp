// Each wait, event and deferred free that the run time makes is left out once, and something must go wrong: on a GPU whose work is
// done as late as streams, events and edges allow, and on a CPU without threads, where it is done when somebody waits for it.
// What nobody misses is counted, and its reason stands beside it. Edges of graphs are left out in GraphTest.
//
// Not left out: what waits when a device, a queue or a program ends (nobody looks any more; ExitTest says that it waits), what
// keeps the host from starting without bounds (relieve() of queues: results are the same), and what waits when a launch fails half
// way (forget_last(): the driver has refused it). cuEventQuery is a question, not a wait.
#include "Adders.h"
#include "Expect.h"
#include "lib/runtime/CpuDevice.h"
#include "lib/runtime/CpuQueue.h"
#include "lib/runtime/Memory.h"
#include "lib/runtime/gpu/Launch.h"
#include "lib/runtime/gpu/LoadedKernel.h"

#include <algorithm>
#include <memory>
#include <random>

namespace {

using namespace tegula;
using Numbers = std::vector<std::vector<i32>>;

struct Calls {
  int left_out = 0, made = 0; // the one that does nothing, counted from 1
  bool is_left_out() { return ++made == left_out; }
};
/// What its queues share with it: they end later than a part of it.
struct LateState {
  Calls waits, frees;
  std::vector<std::pair<void*, std::size_t>> gone; // memory that others may still use
  ~LateState() {
    for (const auto& [data, bytes] : gone)
      runtime::deallocate(data, bytes);
  }
  void* take(std::size_t bytes) {
    const auto found = std::ranges::find(gone, bytes, &std::pair<void*, std::size_t>::second);
    if (found == gone.end())
      return runtime::allocate_zeroed(bytes);
    void* data = found->first;
    gone.erase(found);
    std::memset(data, 0, bytes);
    return data;
  }
  void spoil(void* data, std::size_t bytes) {
    std::memset(data, 0xEE, bytes);
    gone.emplace_back(data, bytes);
  }
};

class LateQueue final : public runtime::CpuQueue {
public:
  LateQueue(host::DeviceState& device, int index, Priority priority, std::shared_ptr<LateState> state)
      : CpuQueue(device, index, priority), state_(std::move(state)) {}
  bool wake() noexcept override { return false; }

private:
  void block(u64 number, const Purpose& purpose) override {
    if (!state_->waits.is_left_out())
      CpuQueue::block(number, purpose);
  }
  std::shared_ptr<LateState> state_;
};

class LateCpu final : public runtime::CpuDevice {
public:
  explicit LateCpu(std::shared_ptr<LateState> state) : CpuDevice("late CPU", 1), state_(std::move(state)) {}
  ~LateCpu() override { state_->waits = state_->frees = {}; } // what is left is done in order
  Memory allocate(host::QueueState&, std::size_t bytes, host::Contents) override {
    count_bytes(static_cast<std::int64_t>(bytes));
    return {state_->take(bytes), {}};
  }
  void free(host::QueueState* queue, void* data, std::size_t bytes) override {
    const auto spoil = [state = state_, data, bytes] { state->spoil(data, bytes); };
    if (queue && !state_->frees.is_left_out())
      static_cast<LateQueue*>(queue)->push(spoil);
    else
      spoil();
    count_bytes(-static_cast<std::int64_t>(bytes));
  }
  std::shared_ptr<void> allocate_pinned(std::size_t bytes) override {
    return {state_->take(bytes), [state = state_, bytes](void* data) { state->spoil(data, bytes); }};
  }

private:
  std::unique_ptr<host::QueueState> make_queue(int index, Priority priority) override {
    return std::make_unique<LateQueue>(*this, index, priority, state_);
  }
  std::shared_ptr<LateState> state_;
};

/// A device, and how far a program has got on it.
class World {
public:
  World(Kind kind, unsigned seed, fake::DriverOptions options) : kind(kind), random(seed) {
    if (kind == Kind::cpu) {
      device_.emplace(host::Handles::device(new LateCpu(late_)));
    } else {
      device_.emplace(fake::gpu(options));
      fake::delay(seed);
    }
  }
  const Device& device() const { return *device_; }
  Tensor<i32, 1> full(i32 x) const { return Tensor<i32, 1>::full(device(), {8}, x); }
  static std::vector<i32> host(i32 x) { return std::vector<i32>(8, x); }

  void leave_out(const std::string& function, int n) {
    if (kind == Kind::gpu)
      fake::leave_out(function, n);
    else
      (function == "wait" ? late_->waits : late_->frees).left_out = n;
  }
  int calls(const std::string& function) const {
    return kind == Kind::gpu ? fake::calls(function) : function == "wait" ? late_->waits.made : late_->frees.made;
  }
  /// In any order. The last thing that a program does: what comes at its end, when nobody looks any more, does not count.
  Numbers read(const std::vector<const Tensor<i32, 1>*>& tensors, Numbers more = {}) {
    std::vector<std::size_t> order(tensors.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::ranges::shuffle(order, random);
    Numbers all(tensors.size());
    for (const std::size_t i : order) {
      const std::vector<i32> now = tensors[i]->to_host();
      all[i].assign(now.begin(), now.end());
    }
    all.insert(all.end(), more.begin(), more.end());
    for (const char* function : functions(kind))
      at_the_end[function] = calls(function);
    return all;
  }
  static std::vector<const char*> functions(Kind kind) {
    if (kind == Kind::cpu)
      return {"wait", "free"};
    return {"cuStreamWaitEvent",   "cuEventRecord",    "cuEventSynchronize",
            "cuStreamSynchronize", "cuCtxSynchronize", "cuMemFreeAsync"};
  }

  const Kind kind;
  std::mt19937 random;
  std::map<std::string, int> at_the_end;

private:
  std::shared_ptr<LateState> late_ = std::make_shared<LateState>();
  std::optional<Device> device_;
};

struct Kernels {
  explicit Kernels(Kind kind) : kind(kind) {}
  Kind kind;
  Adders::Plus plus = adders::defined<adders::plus>(kind, "waits_plus", adders::run_cpu<false>, adders::run_gpu<false>);
  Adders::To to = adders::defined<adders::to>(kind, "waits_to", adders::run_cpu<true>, adders::run_gpu<true>);
  Adders::Plus fails = adders::defined<adders::fails>(kind, "waits_fails", adders::fail_cpu, adders::fail_gpu,
                                                      {{Site::Kind::assertion, {"a.cpp", 7, 3}, "s is 0", {}}});
};

/// Work of two queues that hangs together in every way: a reader behind a writer, a writer behind a writer and readers, memory that
/// is freed behind its readers and used again, and the host, which reads, writes and changes its memory.
Numbers entangled(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  std::vector<i32> numbers = World::host(1);
  auto x = Tensor<i32, 1>::from_host(w.device(), {8}, numbers);
  numbers = World::host(-1);                   // the host's again
  auto y = k.plus(fresh(8), x, 1).start(one);  // 2
  auto z = k.plus(fresh(8), y, 10).start(two); // 12, behind the writer
  k.plus(out(y), x, 100).start(one);           // 101, behind the reader
  k.to(out(z), y, 0).start(two);               // 113
  k.plus(out(x), z, 0).start(one);             // 113, behind readers and a writer
  {
    auto gone = k.plus(fresh(8), x, 1).start(one); // 114
    k.to(out(y), gone, 0).start(two);              // 215
  } // freed behind its reader
  auto again = k.plus(fresh(8), x, 7).start(one); // 120, perhaps where `gone` was
  return w.read({&y, &again, &z, &x});
}

Numbers copies(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  auto x = w.full(1), z = w.full(0), v = w.full(0), u = w.full(0);
  Pinned<i32> p(w.device(), 8), q(w.device(), 8);
  auto y = k.plus(fresh(8), x, 1).start(one);
  y.copy_to(p).start(two);     // 2, behind the writer
  z.copy_from(p).start(one);   // 2
  p.copy_from(World::host(7)); // waits for both
  v.copy_from(p).start(two);   // 7
  y.fill(5).start(one);        // behind the copy
  {
    Pinned<i32> gone(w.device(), 8);
    z.copy_to(gone).start(two);
  } // waits for its copy
  {
    Pinned<i32> gone(w.device(), 8);
    gone.copy_from(World::host(9));
    u.copy_from(gone).start(one);
  }
  y.copy_to(q).start(two); // 5
  const std::vector<i32> read = q.to_host();
  return w.read({&u, &y, &z, &v}, {read});
}

std::string error_of(const Tensor<i32, 1>& tensor) {
  return message_of<LaunchError>([&] { static_cast<void>(tensor.to_host()); });
}

Numbers messages(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  auto x = w.full(1);
  auto y = k.fails(fresh(8), x, 0).start(one);
  auto z = k.plus(fresh(8), y, 1).start(two);
  auto lost = k.fails(fresh(8), x, 1).start(two);
  auto after = k.plus(fresh(8), lost, 1).start(one);
  const std::vector<i32> told{error_of(after).find("require failed: s is 0") != std::string::npos};
  k.fails(out(y), z, 0).start(one);
  return w.read({&z, &y}, {told});
}

/// Of one graph on two queues, and other work before, between and behind them.
Numbers replays(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  auto x = w.full(1), y = w.full(0), total = w.full(0);
  Recorder recorder(w.device());
  k.plus(out(y), x, frozen(1)).start(recorder);
  k.to(out(total), y, frozen(0)).start(recorder);
  const Graph graph = std::move(recorder).finish();
  k.plus(out(x), y, 30).start(one);    // 30
  graph.start(two);                    // y = 31, 31
  k.plus(out(x), total, 0).start(one); // 31
  graph.start(two);                    // y = 32, 63
  graph.start(one);                    // 95
  k.plus(out(x), total, 0).start(two); // 95
  graph.start(one, 2);                 // y = 96, 287
  k.to(out(y), total, 0).start(two);   // 383
  return w.read({&x, &y, &total});
}

Numbers shared_arena(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  auto x = w.full(1), z = w.full(2), a = w.full(0), b = w.full(0);
  const auto record = [&](const Recorder& recorder, const Tensor<i32, 1>& from, Tensor<i32, 1>& to, int s) {
    const auto between = k.plus(fresh(8), from, frozen(s)).start(recorder);
    k.to(out(to), between, frozen(0)).start(recorder);
  };
  Recorder first(w.device());
  record(first, x, a, 10);
  const Graph graph = std::move(first).finish();
  Recorder second(graph);
  record(second, z, b, 20);
  const Graph other = std::move(second).finish();
  graph.start(one);
  other.start(two);
  k.plus(out(x), b, 3).start(one);
  graph.start(two);
  k.plus(out(z), a, 4).start(two);
  other.start(one);
  return w.read({&a, &b, &x, &z});
}

/// A graph that is dropped while it runs.
Numbers dropped_graph(const Kernels& k, World& w) {
  const Queue one(w.device());
  auto x = w.full(1), y = w.full(0);
  {
    Recorder recorder(w.device());
    const auto between = k.plus(fresh(8), x, frozen(1)).start(recorder);
    k.to(out(y), between, frozen(0)).start(recorder);
    const Graph graph = std::move(recorder).finish();
    graph.start(one, 2);
  }
  auto other = k.plus(fresh(8), x, 4).start();
  return w.read({&y, &other});
}

/// A replay reads what it read before, while others change it, and then another tensor.
Numbers bound(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  auto x = w.full(1), z = w.full(2), y = w.full(0);
  Recorder recorder(w.device());
  k.to(out(y), x, frozen(1)).start(recorder);
  Graph graph = std::move(recorder).finish();
  graph.start(one);                // 2
  k.plus(out(z), x, 4).start(two); // 5
  graph.bind(x, z);
  k.plus(out(x), z, 5).start(two); // 10, behind the first replay
  graph.start(one);                // 8
  k.plus(out(z), x, 0).start(two); // 10, behind the second
  return w.read({&x, &y, &z});
}

/// Parts that are written by two queues and joined, read by a third, and dropped.
Numbers parts(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device()), three(w.device());
  const auto a = w.full(1);
  auto x = w.full(0);
  Tensor<i32, 1> y, seen, seen_too;
  {
    auto [low, high] = std::move(x).split<0>(4);
    k.plus(out(low), a.view().slice(0, 0, 4), 1).start(one);  // 2
    k.plus(out(high), a.view().slice(0, 4, 8), 2).start(two); // 3
    const auto whole = join(std::move(low), std::move(high));
    y = k.plus(fresh(8), whole, 0).start(three);
  } // behind all
  auto again = k.plus(fresh(8), a, 6).start(two);
  {
    auto [low, high] = w.full(7).split<0>(4);
    k.plus(out(low), a.view().slice(0, 0, 4), 1).start(one);  // 2
    k.plus(out(high), a.view().slice(0, 4, 8), 2).start(two); // 3
    seen = k.plus(fresh(4), low, 0).start(one);
    seen_too = k.plus(fresh(4), high, 0).start(two);
  } // parts that are read are dropped with the whole
  auto last = k.plus(fresh(8), a, 8).start(three);
  return w.read({&last, &seen, &seen_too, &y, &again, &last});
}

Numbers adopted(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  const auto memory = std::make_shared<std::vector<i32>>(World::host(3));
  Tensor<i32, 1> y;
  {
    auto x = Tensor<i32, 1>::adopt(
        w.device(), {8}, memory->data(), [memory](i32*) { std::ranges::fill(*memory, -1); },
        unsafe("the fake GPU has the host's memory"));
    const auto five = w.full(5);
    k.plus(out(x), five, 1).start(one); // 6
    y = k.plus(fresh(8), x, 0).start(two);
  } // waits for both
  return w.read({&y}, {*memory});
}

/// Coroutines and stored operations.
Task<Tensor<i32, 1>> sum_of(Adders::Plus plus, Shared<i32, 1> x) {
  const auto once = co_await plus(fresh(8), x, 1);
  co_return co_await plus(fresh(8), once, 1);
}
Numbers awaited(const Kernels& k, World& w) {
  auto made = w.full(1), two = w.full(2);
  const Queue one(w.device());
  const Shared<i32, 1> x = k.plus(std::move(made), two, 1).start(one).share(); // 3
  Tensor<i32, 1> kept;
  AnyOp job = k.plus(fresh(8), x, 4).then([&](Tensor<i32, 1> y) { kept = std::move(y); });
  const auto y = sum_of(k.plus, x).sync(); // 5
  std::move(job).start(one);               // 7
  return w.read({&y, &kept});
}

/// A GPU has room for three.
Numbers short_of_memory(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  const auto x = Tensor<i32, 1>::full(w.device(), {100}, 1);
  Numbers read;
  for (int i = 0; i < 3; ++i) {
    auto y = k.plus(fresh(100), x, i).start(i % 2 ? one : two);
    read.push_back(y.to_host());
    auto gone = k.plus(fresh(100), y, i).start(two); // there is room for it when the last one is freed
  }
  return w.read({&x}, read);
}

/// A graph that can fail, on a queue that is not the device's own.
Numbers graph_that_speaks(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  auto x = w.full(1), y = w.full(0);
  w.device().synchronize(); // so that it waits for nothing of the device's own queue
  Recorder recorder(w.device());
  k.fails(out(y), x, frozen(0)).start(recorder);
  const Graph graph = std::move(recorder).finish();
  graph.start(one);
  k.plus(out(x), y, 4).start(two); // 5
  graph.start(two);
  return w.read({&x, &y});
}

/// Who wrote what is read when the kernel has ended.
Numbers claims(const Kernels&, World& w) {
  fake::define_entry("waits_claims", [](void** p, std::int64_t block) { // as in GpuMessagesTest
    auto* owners = reinterpret_cast<std::uint32_t*>(fake::word(p, 8));
    auto* y = reinterpret_cast<i32*>(fake::word(p, 0));
    y[2 * block] = y[2 * block + 1] = 7;
    owners[2 * block] = owners[2 * block + 1] = static_cast<std::uint32_t>(block + 1);
  });
  GpuKernel kernel = code("waits_claims");
  kernel.sites = {{Site::Kind::claim, {"a.cpp", 6, 3}, "", {}, 0}};
  kernel.claimed = kernel.covered_checked = {0};
  fake::define_gpu("waits_claims", kernel);
  const auto claimer = tegula::kernel("waits_claims", [](Out<i32, 1, 2> y) { y.store(zeros<i32, 1, 2>()); });
  const Queue one(w.device());
  auto y = Tensor<i32, 2>::zeros(w.device(), {3, 2});
  const auto x = w.full(1);
  claimer(out(y)).start(one);
  return w.read({&x}, {y.to_host()});
}

/// Memory that no stream frees: the run time waits for all work before it does.
Numbers without_pools(const Kernels& k, World& w) {
  const Queue one(w.device()), two(w.device());
  const auto x = w.full(1);
  Tensor<i32, 1> y;
  {
    const auto gone = k.plus(fresh(8), x, 1).start(one);
    y = k.plus(fresh(8), gone, 1).start(two);
  }
  const auto again = k.plus(fresh(8), x, 7).start(one);
  return w.read({&y, &again});
}

struct Needless {
  const char* function;
  int calls;
  const char* reason;
};
struct Program {
  const char* name;
  Numbers (*run)(const Kernels&, World&);
  std::vector<Kind> kinds;
  std::vector<Needless> on_cpu, on_gpu;
  fake::DriverOptions options = {};
};
const std::vector<Kind> both{Kind::cpu, Kind::gpu};

constexpr const char again_for_errors[] = "who reads waits for the work, and again before it asks whether the work failed";
constexpr const char asked_again[] = "who drops or changes memory asks again until nobody uses it";
constexpr const char implied[] = "what is waited for besides comes behind it; nobody keeps account of what follows from what";
constexpr const char nobody_waits[] = "a mark right behind a copy, for who waits for just this copy";
constexpr const char poison[] = "what is poisoned is not looked at, and who was told of it has waited";
constexpr const char held[] = "a replay on the CPU holds the nodes that it runs, and memory is freed in order";
constexpr const char idle[] = "whoever frees it has waited for all who use it";
constexpr const char short_of[] = "who finds no memory waits for all work";
constexpr const char one_by_one[] = "the driver runs the replays of one graph one after the other";
constexpr const char making[] = "who makes a graph that speaks waits for the device's own queue";

const Program programs[] = {
    {"entangled", entangled, both, {{"wait", 1, again_for_errors}}, {}},
    {"copies",
     copies,
     both,
     {{"wait", 1, asked_again}, {"wait", 1, again_for_errors}},
     {{"cuEventRecord", 1, nobody_waits}, {"cuEventSynchronize", 1, asked_again}, {"cuStreamWaitEvent", 1, implied}}},
    {"messages",
     messages,
     both,
     {{"wait", 2, again_for_errors}},
     {{"cuEventRecord", 1, again_for_errors},
      {"cuEventSynchronize", 2, again_for_errors},
      {"cuStreamWaitEvent", 1, implied},
      {"cuStreamWaitEvent", 1, poison}}},
    {"replays",
     replays,
     both,
     {{"wait", 1, again_for_errors}},
     {{"cuEventRecord", 1, one_by_one}, {"cuStreamWaitEvent", 1, implied}, {"cuStreamWaitEvent", 1, one_by_one}}},
    {"shared arena", shared_arena, both, {{"wait", 1, again_for_errors}}, {{"cuStreamWaitEvent", 1, implied}}},
    {"dropped graph", dropped_graph, both, {{"wait", 1, held}, {"wait", 1, again_for_errors}}, {{"cuMemFreeAsync", 1, idle}}},
    {"bound", bound, both, {{"wait", 1, again_for_errors}}, {}},
    {"parts",
     parts,
     both,
     {{"wait", 2, again_for_errors}},
     {{"cuEventSynchronize", 1, implied}, {"cuStreamWaitEvent", 1, implied}}},
    {"adopted", adopted, both, {{"wait", 2, asked_again}}, {{"cuEventSynchronize", 1, asked_again}}},
    {"awaited", awaited, {Kind::cpu}, {{"wait", 3, again_for_errors}}, {}}, // on a GPU a thread asks, and does not wait
    {"short of memory",
     short_of_memory,
     {Kind::gpu},
     {},
     {{"cuEventSynchronize", 1, implied}, {"cuMemFreeAsync", 5, short_of}, {"cuStreamWaitEvent", 1, implied}},
     {.memory = 3 * 400 + 300}},
    {"graph that speaks",
     graph_that_speaks,
     both,
     {{"wait", 1, again_for_errors}},
     {{"cuEventRecord", 1, making}, {"cuEventSynchronize", 1, making}}},
    {"claims", claims, {Kind::gpu}, {}, {{"cuEventSynchronize", 1, implied}, {"cuMemFreeAsync", 1, idle}}},
    {"without pools", without_pools, {Kind::gpu}, {}, {}, {.pools = false}},
};

struct Outcome {
  Numbers numbers;
  std::string error;
  int strays = 0;
  bool operator==(const Outcome&) const = default;
};

class Waits : public WithoutDiskCache, public testing::WithParamInterface<Kind> {
protected:
  Outcome run(const Program& program, unsigned seed, const char* function = nullptr, int n = 0) {
    Outcome outcome;
    {
      World world(GetParam(), seed, program.options);
      if (function)
        world.leave_out(function, n);
      try {
        outcome.numbers = program.run(kernels, world);
      } catch (const std::exception& error) {
        outcome.error = error.what();
      }
      calls = world.at_the_end;
    }
    if (GetParam() == Kind::gpu)
      outcome.strays = fake::strays();
    return outcome;
  }
  static int needless(const Program& program, const char* function) {
    int all = 0;
    for (const Needless& one : GetParam() == Kind::cpu ? program.on_cpu : program.on_gpu)
      all += one.function == std::string(function) ? one.calls : 0;
    return all;
  }
  const Kernels kernels{GetParam()};
  std::map<std::string, int> calls; // of the last run
};

TEST_P(Waits, ProgramsAreRightInEveryOrder) {
  for (const Program& program : programs) {
    if (std::ranges::find(program.kinds, GetParam()) == program.kinds.end())
      continue;
    const Outcome expected = run(program, 1);
    EXPECT_EQ(expected.error, "") << program.name;
    for (unsigned seed = 2; seed <= (GetParam() == Kind::cpu ? 8 : 50); ++seed)
      EXPECT_EQ(run(program, seed), expected) << program.name << ", seed " << seed;
  }
}

TEST_P(Waits, EachIsNeeded) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "without a wait, memory is used that has been freed: sanitizers see that themselves";
#endif
  for (const Program& program : programs) {
    if (std::ranges::find(program.kinds, GetParam()) == program.kinds.end())
      continue;
    const Outcome expected = run(program, 1);
    const std::map<std::string, int> made = calls;
    for (const auto& [function, count] : made) {
      std::string missed;
      int missed_calls = 0;
      for (int n = 1; n <= count; ++n) {
        bool found = false;
        for (unsigned seed = 1; seed <= (GetParam() == Kind::cpu ? 20 : 100) && !found; ++seed)
          found = run(program, seed, function.c_str(), n) != expected;
        if (!found) {
          missed += " " + std::to_string(n);
          ++missed_calls;
        }
      }
      EXPECT_EQ(missed_calls, needless(program, function.c_str()))
          << program.name << ": " << function << ", of " << count << " calls nobody misses" << missed;
    }
  }
}

class GpuWaits : public WithoutDiskCache {};

TEST_F(GpuWaits, CodeIsUnloadedWhenItsProgramsHaveRun) {
  for (const bool waits : {true, false}) {
    const auto context = std::make_shared<gpu::Context>(fake::driver(), 0);
    fake::delay(4);
    const std::string name = "waits_unloaded";
    fake::define_entry(name, [](void**, std::int64_t) {});
    {
      const gpu::LoadedKernel loaded(context, name, code(name), "cubin:" + name);
      const gpu::Context::Use use(*context);
      const gpu::Launch launch{name, loaded, 1};
      const std::vector<std::int64_t> no_words;
      gpu::Parameters parameters(*context, launch, no_words, 0, {});
      for (int i = 0; i < 20; ++i)
        gpu::start(*context, context->stream(), launch, parameters);
      if (!waits)
        fake::leave_out("cuCtxSynchronize", 1);
    }
    const gpu::Context::Use use(*context);
    context->wait([] { return std::string("the rest"); }, context->stream());
    EXPECT_EQ(fake::strays() == 0, waits);
  }
}

TEST_F(GpuWaits, WhatStandsForNothingIsThereWhenTheDeviceIsOpen) {
  for (const bool waits : {true, false}) {
    int found = 0;
    for (unsigned seed = 1; seed <= 30; ++seed) {
      const gpu::Driver& driver = fake::driver();
      fake::delay(seed);
      if (!waits)
        fake::leave_out("cuStreamSynchronize", 1);
      const gpu::Context context(driver, 0);
      found += *reinterpret_cast<const unsigned char*>(context.nothing()) != 0;
    }
    EXPECT_EQ(found == 0, waits);
  }
}

/// Starts more work than may wait: some is done at once, and memory stays bounded.
TEST(CpuQueueBound, WhoStartsTooMuchWorksHimself) {
  class ShortQueue final : public runtime::CpuQueue {
  public:
    ShortQueue(host::DeviceState& device) : CpuQueue(device, 1, Priority::normal) { most_waiting = 5; }
    bool wake() noexcept override { return false; } // no thread takes any
  };
  LateCpu device(std::make_shared<LateState>());
  ShortQueue queue(device);
  int done = 0;
  for (int started = 1; started <= 20; ++started) {
    queue.relieve();
    {
      const std::lock_guard lock(device.submitting);
      queue.push([&] { ++done; });
    }
    EXPECT_EQ(done, std::max(0, started - 5));
  }
  queue.wait(20);
  EXPECT_EQ(done, 20);
}

INSTANTIATE_TEST_SUITE_P(Devices, Waits, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace
