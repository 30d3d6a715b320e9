// Where the time of a graph goes: its nodes are replayed kind by kind.
#include "lib/runtime/Profile.h"
#include "Adders.h"
#include "Expect.h"

#include <gtest/gtest.h>

namespace {

using namespace tegula;

class Profiles : public Adders {
protected:
  Tensor<i32, 1> numbers(i64 n, i32 x) const { return Tensor<i32, 1>::full(device, {n}, x); }
};

TEST_P(Profiles, EachKindOfNodeIsReplayedAlone) {
  for_each_order([&](unsigned) {
    const auto x = numbers(8, 1), longer = numbers(20, 1);
    auto counted = numbers(8, 0), counted_too = numbers(20, 0), filled = numbers(8, 0);
    Recorder recorder(device);
    filled.fill(5).start(recorder);
    for (int i = 0; i < 3; ++i)
      to(out(counted), x, frozen(0)).start(recorder);
    to(out(counted_too), longer, frozen(0)).start(recorder);
    plus(out(filled), x, frozen(7)).start(recorder);
    const Graph graph = std::move(recorder).finish();

    const std::vector<GraphPart> parts = profile(graph, 2);
    ASSERT_EQ(parts.size(), 4u);
    const auto expect = [](const GraphPart& part, const char* name, int nodes, i64 bytes) {
      EXPECT_EQ(part.name, name);
      EXPECT_EQ(part.nodes, nodes) << name;
      EXPECT_EQ(part.bytes, bytes) << name;
      ASSERT_TRUE(part.seconds) << name;
      EXPECT_GE(*part.seconds, 0) << name;
    };
    expect(parts[0], "copies and fills", 1, 0);
    expect(parts[1], "adders_to 8", 3, 3 * 2 * 8 * 4);
    expect(parts[2], "adders_to 20", 1, 2 * 20 * 4);
    expect(parts[3], "adders_plus 8", 1, 2 * 8 * 4);

    constexpr int replays = 1 + 1 + 2 + 3 * 2 + 1; // the whole, it alone: to warm up, few, and many; and the whole again
    EXPECT_EQ(counted.to_host()[7], 3 * replays);
    EXPECT_EQ(counted_too.to_host()[19], replays);
    graph.sync();
    EXPECT_EQ(counted.to_host()[7], 3 * (replays + 1)) << "replays do all of it again";
    EXPECT_EQ(filled.to_host()[0], 8);
  });
}

TEST_P(Profiles, AGraphIsWholeAfterAFailure) {
  const auto x = numbers(8, 1);
  auto s = numbers(8, 0), y = numbers(8, 0);
  Recorder recorder(device);
  y.fill(0).start(recorder);
  fails(out(y), x, frozen(1)).start(recorder);
  plus(out(s), y, frozen(0)).start(recorder);
  Graph graph = std::move(recorder).finish();
  EXPECT_ERROR(LaunchError, (void)profile(graph, 1), "s is 0");
  s.fill(7).sync();
  EXPECT_ERROR(LaunchError, graph.sync(), "s is 0");
  EXPECT_MESSAGE((void)profile(graph, 0), "tegula: profile() with 0 replays: want 1 to 1048576");
  EXPECT_MESSAGE((void)profile(graph, 1 << 21), "want 1 to 1048576");
  const Graph taken = std::move(graph);
  EXPECT_MESSAGE((void)profile(graph, 1), "profile() of a graph that was moved from or never made");
}

TEST_P(Profiles, KernelsAreProved) {
  for (const Rung rung : {Rung::checked, Rung::waived}) {
    Proof proof;
    proof.covered = {0};
    Obligation& obligation = proof.obligations.emplace_back();
    obligation.rung = rung;
    obligation.what = "load of parameter 2 along axis 0";
    fake::prove("adders_plus", proof);
    const auto unproved = kernel<adders::plus>("adders_plus");
    auto y = numbers(8, 0);
    const auto x = numbers(8, 1);
    Recorder recorder(device);
    unproved(out(y), x, frozen(1)).start(recorder);
    const Graph graph = std::move(recorder).finish();
    EXPECT_MESSAGE((void)profile(graph, 1),
                   std::string("tegula: profile() of a graph with kernel 'adders_plus', which is not proved: "
                               "load of parameter 2 along axis 0 is ") +
                       name(rung));
    EXPECT_EQ(y.to_host()[0], 0) << "nothing ran";
  }
}

INSTANTIATE_TEST_SUITE_P(Device, Profiles, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

// Words: y, extent, stride, bound.
void choose(OutIndex<i32, 4> y) { y.store(cast<i32>((y.at(0) * 4 + iota<i64, 4>()) % minimum(y.bound(), 1000))); }
void look_up(Out<i32, 4> y, Index<i32, 4> at) { y.store(at[y] + 1); }

template <auto F> auto defined_on_cpu(const char* name, CpuKernel::Entry entry) {
  fake::define(name, entry);
  Proof proof;
  proof.covered = {0};
  fake::prove(name, proof);
  return kernel<F>(name);
}

/// Of another kind of node, what it reads may lie in the same memory.
TEST(Profile, PositionsThatTheGraphMakesAreTakenInItsOrderOnly) {
  static int looked;
  looked = 0;
  const auto choosing =
      defined_on_cpu<choose>("profile-choose", [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
        for (std::int64_t i = program * 4; i < program * 4 + 4 && i < w[1]; ++i)
          reinterpret_cast<i32*>(w[0])[i] = static_cast<i32>(i % w[3]);
      });
  const auto looking =
      defined_on_cpu<look_up>("profile-look", [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
        ++looked;
        for (std::int64_t i = program * 4; i < program * 4 + 4 && i < w[1]; ++i) {
          EXPECT_LT(reinterpret_cast<const u32*>(w[3])[i], 4u);
          reinterpret_cast<i32*>(w[0])[i] = 1000;
        }
      });
  const Device device = Device::cpu(1);
  auto y = Tensor<i32, 1>::zeros(device, {4});
  Recorder recorder(device);
  {
    const auto at = choosing(fresh(device, 4).below(4)).start(recorder);
    const auto kept = looking(fresh(4), at).start(recorder);
    y.copy_from(kept).start(recorder);
  }
  const Graph graph = std::move(recorder).finish();
  const std::vector<GraphPart> parts = profile(graph, 3);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_TRUE(parts[0].seconds);
  EXPECT_EQ(parts[1].name, "profile-look 4");
  EXPECT_FALSE(parts[1].seconds);
  EXPECT_TRUE(parts[2].seconds);
  EXPECT_EQ(looked, 2) << "in the whole, before and after";
}

} // namespace
