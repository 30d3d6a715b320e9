// Work that is recorded and replayed, on the CPU and on a GPU whose work is done in any order that edges and events allow.
#include "Adders.h"
#include "Expect.h"

#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace tegula;

class Graphs : public Adders {
protected:
  Tensor<i32, 1> numbers(i32 x) const { return Tensor<i32, 1>::full(device, {8}, x); }
  static i32 first(const Tensor<i32, 1>& t) { return t.to_host()[0]; }
};

TEST_P(Graphs, AFunctionIsRunOrRecorded) {
  for_each_order([&](unsigned) {
    auto x = numbers(1), y = numbers(0);
    const auto step = [&](const Queue& queue) {
      auto a = plus(fresh(8), x, frozen(1)).start(queue);
      auto b = plus(fresh(8), a, frozen(10)).start(queue);
      to(out(y), b, frozen(0)).start(queue);
    };
    step(device.queue());
    EXPECT_EQ(first(y), 12);
    Recorder recorder(device);
    step(recorder);
    const Graph graph = std::move(recorder).finish();
    EXPECT_EQ(graph.nodes(), 3);
    EXPECT_EQ(first(y), 12) << "nothing ran";
    graph.sync();
    EXPECT_EQ(first(y), 24);
    const Queue other(device);
    graph.start(other, 3);
    graph.start();
    const auto hundred = numbers(100);
    x = plus(std::move(x), hundred, 0).start(); // behind what was started
    graph.start(other);
    EXPECT_EQ(first(y), 24 + 4 * 12 + 111);
  });
}

TEST_P(Graphs, BranchesAreOrderedByWhatTheyUse) {
  for_each_order([&](unsigned) {
    auto x = numbers(1), l = numbers(0), r = numbers(0), z = numbers(0);
    Recorder recorder(device);
    plus(out(x), l, frozen(5)).start(recorder);
    plus(out(l), x, frozen(1)).start(recorder);
    plus(out(r), x, frozen(2)).start(recorder);
    plus(out(z), l, frozen(0)).start(recorder);
    to(out(z), r, frozen(0)).start(recorder);
    plus(out(x), z, frozen(0)).start(recorder); // behind both branches
    const Graph graph = std::move(recorder).finish();
    graph.start();
    graph.start();
    // x = l + 5; l' = x + 1; z = 2 x + 3
    EXPECT_EQ(l.to_host()[7], 6 + 5 + 1);
    EXPECT_EQ(x.to_host()[7], 2 * 11 + 3);
  });
}

class GpuGraphs : public Graphs {};

TEST_P(GpuGraphs, EveryEdgeIsNeeded) {
  constexpr int edges = 8;
  const auto run = [&] {
    auto x = numbers(1), l = numbers(0), r = numbers(0), z = numbers(0);
    Recorder recorder(device);
    plus(out(x), l, frozen(5)).start(recorder);
    plus(out(l), x, frozen(1)).start(recorder);
    plus(out(r), x, frozen(2)).start(recorder);
    plus(out(z), l, frozen(0)).start(recorder);
    to(out(z), r, frozen(0)).start(recorder);
    auto copy = plus(fresh(8), z, frozen(0)).start(recorder);
    x.copy_from(copy).start(recorder); // behind both branches
    r.fill(3).start(recorder);
    const Graph graph = std::move(recorder).finish();
    graph.start();
    return std::array{x.to_host(), l.to_host(), r.to_host(), z.to_host(), copy.to_host()};
  };
  const auto expected = run();
  for (int n = 1; n <= edges + 1; ++n) {
    int found = 0;
    for_each_order([&](unsigned) {
      fake::leave_out("graph edge", n);
      found += run() != expected;
    });
    EXPECT_EQ(found > 0, n <= edges) << "edge " << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, GpuGraphs, testing::Values(Kind::gpu), name_of_kind);

TEST_P(Graphs, MemoryOfWhatIsGoneIsUsedAgain) {
  for_each_order([&](unsigned) {
    const i64 before = device.statistics().bytes_in_use;
    {
      const auto x = numbers(1);
      Recorder recorder(device);
      auto a = plus(fresh(8), x, frozen(1)).start(recorder);
      for (int i = 0; i < 20; ++i) // a chain needs room for two
        a = plus(fresh(8), a, frozen(1)).start(recorder);
      const auto side = plus(fresh(8), x, frozen(100)).start(recorder); // may run beside the chain
      auto both = plus(fresh(8), a, frozen(0)).start(recorder);
      to(out(both), side, frozen(0)).start(recorder);
      const Graph graph = std::move(recorder).finish();
      EXPECT_EQ(graph.temporary_bytes(), 1 << 20) << "one chunk";
      EXPECT_MESSAGE(both.to_host(), "a tensor that has never been written");
      graph.start();
      EXPECT_EQ(first(both), 22 + 101);
      graph.sync();
      EXPECT_EQ(first(both), 22 + 101);
    }
    device.synchronize();
    EXPECT_EQ(device.statistics().bytes_in_use, before);
  });
}

TEST_P(Graphs, AGraphKeepsWhatItUses) {
  for_each_order([&](unsigned) {
    auto y = numbers(0);
    Graph graph;
    {
      const auto x = numbers(3);
      Recorder recorder(device);
      to(out(y), x, frozen(0)).start(recorder);
      graph = std::move(recorder).finish();
    }
    graph.start();
    auto moved = std::move(y);
    graph.start();
    EXPECT_EQ(first(moved), 6);
    graph.start();
    graph = Graph(); // while a replay may be under way
    EXPECT_EQ(first(moved), 9);
    graph = Graph();
  });
}

TEST_P(Graphs, GraphsShareMemoryAndNeverRunAtOnce) {
  for_each_order([&](unsigned) {
    const auto x = numbers(1);
    auto y = numbers(0), z = numbers(0);
    const auto record = [&](Recorder&& recorder, i32 s, Tensor<i32, 1>& result) {
      {
        const auto a = plus(fresh(8), x, frozen(s)).start(recorder);
        const auto b = plus(fresh(8), a, frozen(s)).start(recorder);
        plus(out(result), b, frozen(s)).start(recorder);
      }
      return std::move(recorder).finish();
    };
    const Graph one = record(Recorder(device), 1, y), ten = record(Recorder(one), 10, z);
    EXPECT_EQ(one.temporary_bytes(), ten.temporary_bytes());
    const Queue q1(device), q2(device);
    for (int i = 0; i < 3; ++i) {
      one.start(q1);
      ten.start(q2);
    }
    EXPECT_EQ(first(y), 4);
    EXPECT_EQ(first(z), 31);
    Recorder survivors(one);
    const auto left = plus(fresh(8), x, frozen(1)).start(survivors);
    EXPECT_MESSAGE((void)std::move(survivors).finish(), "makes nothing that outlives its recording");
    EXPECT_MESSAGE(left.to_host(), "never been written");
    auto t = plus(fresh(8), x, frozen(1)).start(survivors);
    EXPECT_MESSAGE((void)plus(out(t), x, 1).sync(), "made while recording beside another graph is of use in that recording alone");
    EXPECT_MESSAGE((void)t.fill(1).sync(), "made while recording beside another graph is of use in that recording alone");
    Recorder elsewhere(device);
    EXPECT_MESSAGE((void)plus(out(t), x, frozen(1)).start(elsewhere), "is of use in that recording alone");
    plus(out(z), t, frozen(1)).start(survivors);
  });
  const auto x = numbers(1);
  Recorder first_one(device);
  const auto y = plus(fresh(8), x, frozen(1)).start(first_one);
  const Graph one = std::move(first_one).finish();
  {
    const Recorder open(one);
    EXPECT_MESSAGE(Recorder{one}, "graphs that share their memory are recorded one after the other");
  }
}

TEST_P(Graphs, MemoryIsInOrderWithoutReplays) {
  for_each_order([&](unsigned) {
    const Queue q1(device), q2(device);
    const auto x = numbers(1), z = numbers(100);
    Recorder recorder(device);
    auto t = plus(fresh(8), x, frozen(1)).start(recorder);
    const auto v = plus(fresh(8), t, frozen(1)).start(recorder);
    t = plus(std::move(t), x, 1).start(q1); // now
    t = {};
    auto u = plus(fresh(8), v, frozen(1)).start(recorder); // in the same memory
    u = plus(std::move(u), z, 1).start(q2);
    EXPECT_EQ(first(u), 101);
  });
}

TEST_P(Graphs, ARecorderThatIsMovedAsAQueueLivesOn) {
  auto x = numbers(1);
  const auto take = [](Queue& queue) { return std::move(queue); };
  const auto moved = [&] {
    Recorder recorder(device);
    return take(recorder);
  }();
  plus(out(x), numbers(1).share(), frozen(1)).start(moved);
  EXPECT_EQ(first(x), 1);
}

TEST_P(Graphs, TensorsAreDroppedByOthersWhileARecordingEnds) {
  for (int round = 0; round < 50; ++round) {
    const auto x = numbers(1);
    Recorder recorder(device);
    std::vector<Tensor<i32, 1>> made;
    for (int i = 0; i < 20; ++i)
      made.push_back(plus(fresh(8), x, frozen(i)).start(recorder));
    const auto last = plus(fresh(8), made[7], frozen(1)).start(recorder);
    std::thread dropping([&] { made.clear(); });
    const Graph graph = std::move(recorder).finish();
    dropping.join();
    graph.sync();
    EXPECT_EQ(first(last), 9);
  }
}

TEST_P(Graphs, WhatARefusesToReplayIsSaid) {
  auto x = numbers(1), y = numbers(0);
  Recorder recorder(device);
  EXPECT_ERROR(
      LaunchError, (void)plus(out(y), x, 1).start(recorder),
      "kernel 'adders_plus' was not launched: parameter 3 is a number of the host, which every replay of a graph would have "
      "as it is now: write frozen(number) if that is meant");
  EXPECT_MESSAGE(recorder.sync(), "sync() of a Recorder, which runs nothing");
  auto unwritten = Tensor<i32, 1>::uninit(device, {8});
  EXPECT_ERROR(LaunchError, to(out(y), unwritten, frozen(1)).start(recorder),
               "parameter 2 is a tensor that has never been written");
  to(out(y), x, frozen(1)).start(recorder);
  const Graph graph = std::move(recorder).finish();
  EXPECT_MESSAGE((void)plus(out(y), x, frozen(1)).start(recorder), "a Recorder that has been finished records nothing more");
  graph.sync();
  EXPECT_EQ(first(y), 2);
  {
    auto op = plus(fresh(8), y, 1);
    EXPECT_ERROR(LaunchError, graph.start(), "a tensor that it writes is in use: by an operation that has not run yet");
    (void)std::move(op).cancel();
  }
  EXPECT_MESSAGE((void)std::move(y).split<0>(4), "split() of a tensor that a graph uses");
  const auto shared = std::move(y).share();
  EXPECT_ERROR(LaunchError, graph.start(), "a tensor that it writes has been shared or certified since");
  EXPECT_EQ(shared.to_host()[0], 2);
  EXPECT_MESSAGE(Graph().start(), "start() of a graph that was moved from or never made");
  const Device other = Device::cpu(1);
  EXPECT_ERROR(LaunchError, graph.start(other.queue()), "a graph of device");
  Recorder second(device);
  EXPECT_ERROR(LaunchError, graph.start(second), "a graph cannot be part of another one");
}

TEST_P(Graphs, AnOutputIsWrittenWhenAReplayHasRun) {
  const auto x = numbers(4);
  auto y = Tensor<i32, 1>::uninit(device, {8});
  Recorder recorder(device);
  plus(out(y), x, frozen(1)).start(recorder);
  auto z = plus(fresh(8), y, frozen(1)).start(recorder); // it has values there
  const Graph graph = std::move(recorder).finish();
  EXPECT_MESSAGE(y.to_host(), "never been written");
  EXPECT_MESSAGE((void)plus(fresh(8), z, 1).sync(), "never been written");
  graph.start();
  EXPECT_EQ(first(y), 5);
  EXPECT_EQ(first(plus(fresh(8), z, 1).sync()), 7);
}

TEST_P(Graphs, AFailurePoisonsWhatAReplayWrites) {
  for_each_order([&](unsigned) {
    auto x = numbers(1), y = numbers(0), flag = numbers(0);
    Recorder recorder(device);
    fails(out(y), x, frozen(1)).start(recorder);
    const Graph bad = std::move(recorder).finish();
    Recorder again(device);
    fails(out(y), x, frozen(0)).start(again);
    const Graph good = std::move(again).finish();
    bad.start();
    const auto z = plus(fresh(8), y, 1).start();
    EXPECT_ERROR(LaunchError, z.to_host(), "s is 0");
    EXPECT_ERROR(LaunchError, y.sync(), "s is 0");
    good.start();
    EXPECT_EQ(first(y), 1) << "well again";
    for (int i = 0; i < 40; ++i) // more than are kept unheard
      bad.start();
    good.start();
    EXPECT_EQ(first(y), 1);
    EXPECT_ERROR(LaunchError, bad.sync(), "s is 0");
    int unseen = 0;
    for (bool more = true; more;) {
      try {
        device.synchronize();
        more = false;
      } catch (const LaunchError&) {
        ++unseen;
      }
    }
    EXPECT_EQ(unseen, 40);
  });
}

TEST_P(Graphs, TensorsAreBound) {
  for_each_order([&](unsigned) {
    auto x = numbers(1), other = numbers(5), y = numbers(0), z = numbers(7);
    const auto weights = numbers(100).share(), heavier = numbers(1000).share();
    Recorder recorder(device);
    plus(out(y), x, frozen(1)).start(recorder);
    to(out(y), weights, frozen(0)).start(recorder);
    Graph graph = std::move(recorder).finish();
    graph.start();
    graph.bind(x, other);
    graph.start();
    EXPECT_EQ(first(y), 106);
    graph.bind(weights, heavier);
    graph.bind(y, z);
    graph.start();
    EXPECT_EQ(first(z), 1006);
    EXPECT_EQ(first(y), 106);
    EXPECT_MESSAGE(graph.bind(x, other), "bind() of a tensor that the graph does not use");
    EXPECT_MESSAGE(graph.bind(other, z), "bind() of a tensor that the graph uses already, where one of the two is written");
    auto small = Tensor<i32, 1>::zeros(device, {4});
    EXPECT_MESSAGE(graph.bind(other, small), "bind() of a tensor of 4 in the place of one of 8");
  });
}

TEST_P(Graphs, WhoReadsATensorStaysKnownWhenAnotherIsBound) {
  for_each_order([&](unsigned) {
    auto x = numbers(1), y = numbers(0), z = numbers(5);
    Recorder recorder(device);
    to(out(y), x, frozen(0)).start(recorder);
    Graph graph = std::move(recorder).finish();
    const Queue queue(device), other(device);
    graph.start(queue);
    EXPECT_EQ(first(y), 1); // so that the replay is known to be done
    const auto w = plus(fresh(8), x, 10).start(queue);
    graph.bind(x, z);
    x.fill(100).start(other); // behind the reader
    EXPECT_EQ(first(w), 11);
    graph.start(queue);
    EXPECT_EQ(first(y), 6);
  });
}

TEST_P(Graphs, WhatBelongsToARecordingIsNotBound) {
  auto x = numbers(1), y = numbers(0), z = numbers(0);
  Recorder first_recorder(device), second_recorder(device);
  {
    const auto t = plus(fresh(8), x, frozen(1)).start(first_recorder);
    to(out(y), t, frozen(0)).start(first_recorder);
  }
  const Graph one = std::move(first_recorder).finish();
  to(out(z), x, frozen(0)).start(second_recorder);
  Graph two = std::move(second_recorder).finish();
  Recorder beside(one);
  {
    auto t = plus(fresh(8), x, frozen(1)).start(beside);
    EXPECT_MESSAGE(two.bind(z, t), "made while recording beside another graph is of use in that recording alone");
  }
}

TEST_P(Graphs, PartsOfSharedTensorsAreBoundToTheSameParts) {
  const auto small = Tensor<i32, 1>::from_host(device, {16}, std::vector<i32>(16, 3)).share();
  std::vector<i32> rising(16);
  std::iota(rising.begin(), rising.end(), 0);
  const auto large = Tensor<i32, 1>::from_host(device, {16}, rising).share();
  auto y = numbers(0);
  const auto half = small.slice(0, 8, 16);
  Recorder recorder(device);
  plus(out(y), half, frozen(0)).start(recorder);
  Graph graph = std::move(recorder).finish();
  EXPECT_MESSAGE(graph.bind(half, large.slice(0, 0, 8)), "lies otherwise in memory");
  graph.bind(half, large.slice(0, 8, 16));
  graph.sync();
  EXPECT_EQ(first(y), 8);
}

TEST_P(Graphs, PartsAreBoundUnlessANodeWritesTheirNeighbours) {
  const auto halves = [&](i32 value) { return Tensor<i32, 1>::full(device, {16}, value).split<0>(8); };
  auto [a, b] = halves(3);
  auto [c, d] = halves(5);
  auto [e, f] = halves(7);
  auto parts = Tensor<i32, 1>::full(device, {8}, 11).split<0>(4);
  auto joined = join(std::move(parts[0]), std::move(parts[1]));
  auto y = numbers(0);
  Recorder recorder(device);
  plus(out(y), a, frozen(0)).start(recorder);
  plus(out(c), a, frozen(0)).start(recorder);
  Graph graph = std::move(recorder).finish();
  graph.bind(a, e);
  graph.sync();
  EXPECT_EQ(first(y), 7);
  graph.bind(e, joined);
  graph.sync();
  EXPECT_EQ(first(y), 11);
  EXPECT_MESSAGE(graph.bind(joined, d), "where one of the two is written");
  graph.bind(joined, a);
  EXPECT_MESSAGE(graph.bind(c, b), "where one of the two is written");
}

TEST_P(Graphs, TwoInputsBoundToOneTensorAreOne) {
  auto x = numbers(1), w = numbers(2), p = numbers(100), y = numbers(0);
  Recorder recorder(device);
  plus(out(y), x, frozen(0)).start(recorder);
  to(out(y), w, frozen(0)).start(recorder);
  Graph graph = std::move(recorder).finish();
  graph.bind(x, w);
  graph.sync();
  EXPECT_EQ(first(y), 4);
  graph.bind(w, p);
  graph.sync();
  EXPECT_EQ(first(y), 200);
  EXPECT_MESSAGE(graph.bind(w, x), "bind() of a tensor that the graph does not use");
  auto [low, high] = std::move(w).split<0>(4); // the graph let it go
  graph.bind(y, x);
  graph.sync();
  EXPECT_EQ(first(x), 200);
}

TEST_P(Graphs, WhatIsSharedBeforeTheRecordingEndsIsNotWritten) {
  const auto x = numbers(1);
  auto y = numbers(0), z = numbers(0);
  Recorder recorder(device);
  to(out(y), x, frozen(1)).start(recorder);
  to(out(z), x, frozen(1)).start(recorder);
  const auto shared = std::move(y).share();
  const Graph graph = std::move(recorder).finish();
  EXPECT_ERROR(LaunchError, graph.sync(), "a tensor that it writes has been shared or certified since");
  EXPECT_EQ(shared.to_host()[0], 0);
  if (GetParam() == Kind::gpu)
    return; // there, kernels that nobody has defined certify
  Recorder second(device);
  to(out(z), x, frozen(1)).start(second);
  const auto certified = certify(std::move(z), 100);
  const Graph other = std::move(second).finish();
  EXPECT_ERROR(LaunchError, other.sync(), "a tensor that it writes has been shared or certified since");
}

TEST_P(Graphs, AChunkOfMemoryIsUsedUp) {
  for (const i64 size : {i64{1} << 18, (i64{1} << 18) - 64, i64{1} << 19}) { // elements of 4 bytes, in chunks of 1 MiB or more
    const auto x = Tensor<i32, 1>::full(device, {size}, 1);
    Recorder recorder(device);
    auto a = plus(fresh(size), x, frozen(1)).start(recorder);
    a = plus(fresh(size), a, frozen(1)).start(recorder);
    const auto b = plus(fresh(size), a, frozen(1)).start(recorder);
    std::move(recorder).finish().sync();
    EXPECT_EQ(b.to_host()[static_cast<std::size_t>(size) - 1], 4);
  }
}

TEST_P(Graphs, ViewsOfWhatIsRecordedAreRecorded) {
  const auto x = numbers(1);
  auto y = Tensor<i32, 1>::zeros(device, {4});
  Recorder recorder(device);
  auto a = plus(fresh(8), x, frozen(1)).start(recorder);
  plus(out(y), a.view().slice(0, 4, 8), frozen(10)).start(recorder);
  EXPECT_MESSAGE((void)std::move(a).split<0>(3), "split() of a tensor that a recorded launch makes");
  const Graph graph = std::move(recorder).finish();
  EXPECT_MESSAGE(a.view().to_host(), "never been written");
  graph.sync();
  EXPECT_EQ(first(y), 12);
}

TEST_P(Graphs, OneIsReplayedWhileAnotherIsRecordedBesideIt) {
  const auto x = numbers(1);
  auto y = numbers(0);
  Recorder recorder(device);
  const auto one = plus(fresh(8), x, frozen(1)).start(recorder);
  to(out(y), one, frozen(0)).start(recorder);
  const Graph graph = std::move(recorder).finish();
  std::thread replaying([&] {
    for (int i = 0; i < 50; ++i)
      graph.start();
  });
  for (i64 size = 8; size < 500000; size *= 4) {
    const auto large = Tensor<i32, 1>::zeros(device, {size});
    auto result = Tensor<i32, 1>::zeros(device, {size});
    Recorder beside(graph);
    {
      const auto a = plus(fresh(size), large, frozen(1)).start(beside);
      plus(out(result), a, frozen(1)).start(beside);
    }
    std::move(beside).finish().sync();
    EXPECT_EQ(result.to_host()[0], 2);
  }
  replaying.join();
  EXPECT_EQ(first(y), 100);
  EXPECT_ERROR(LaunchError, graph.start(device.queue(), -1), "replayed -1 times");
}

TEST_P(Graphs, AForkedProcessCanEndOne) {
  auto x = numbers(1), y = numbers(0), z = numbers(0);
  Recorder recorder(device);
  plus(out(y), x, frozen(1)).start(recorder);
  std::optional<Graph> graph(std::move(recorder).finish());
  graph->sync();
  std::atomic<bool> stop{false};
  std::thread launches([&] { // so that the driver's locks may be held
    while (!stop)
      plus(out(z), x, 1).sync();
  });
  for (int turn = 0; turn < 20; ++turn) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      graph.reset();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  launches.join();
}

TEST_P(Graphs, RecordingsCanBeGivenUp) {
  const i64 before = device.statistics().bytes_in_use;
  {
    auto x = numbers(1);
    Tensor<i32, 1> left;
    {
      Recorder recorder(device);
      left = plus(fresh(8), x, frozen(1)).start(recorder);
      auto gone = plus(fresh(8), left, frozen(1)).start(recorder);
    }
    EXPECT_MESSAGE(left.to_host(), "never been written");
    left = plus(std::move(left), x, 3).sync(); // it is memory like any other
    EXPECT_EQ(first(left), 4);
  }
  device.synchronize();
  EXPECT_EQ(device.statistics().bytes_in_use, before);
}

INSTANTIATE_TEST_SUITE_P(Devices, Graphs, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace
