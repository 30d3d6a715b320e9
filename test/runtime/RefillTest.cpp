// Certified tensors that launches write: who may have them refilled, and what is there whatever becomes of the launch.
#include "Expect.h"
#include "GpuKernels.h"

namespace {

using namespace tegula;

// y[i] = i % bound. Words: y, extent, stride, bound.
void count(OutIndex<i32, 4> y) { y.store(cast<i32>((y.at(0) * 4 + iota<i64, 4>()) % minimum(y.bound(), 1000))); }
void read(Out<i32, 4> y, Index<i32, 4> at) { y.store(at[y]); }

template <auto F> auto covering(const char* name) {
  Proof proof;
  proof.covered = {0};
  fake::prove(name, proof);
  return kernel<F>(name);
}
auto counting(const char* name) {
  fake::define(name, [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
    for (std::int64_t i = program * 4; i < program * 4 + 4 && i < w[1]; ++i)
      reinterpret_cast<i32*>(w[0])[i] = static_cast<i32>(i % w[3]);
  });
  return covering<count>(name);
}
auto reading(const char* name) {
  fake::define(name, [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
    for (std::int64_t i = program * 4; i < program * 4 + 4 && i < w[1]; ++i)
      reinterpret_cast<i32*>(w[0])[i] = reinterpret_cast<const i32*>(w[3])[i];
  });
  return covering<read>(name);
}

TEST(Refill, FreshOnesAreCertified) {
  const Device d = Device::cpu(2);
  const auto k = counting("refill-fresh");
  const auto c = k(fresh(d, 6).below(4)).sync();
  EXPECT_EQ(c.bound(), 4);
  EXPECT_FALSE(c.distinct() || c.or_none() || c.offsets());
  EXPECT_EQ(c.to_host(), (std::vector<i32>{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(reading("refill-read")(fresh(6), c).sync().to_host(), c.to_host());
  EXPECT_EQ(k(fresh(d, 0).below(0)).sync().size(), 0);
  const auto never = k(fresh(d, 6).below(4)).cancel();
  EXPECT_MESSAGE(never.to_host(), "moved from or never made");
}

TEST(Refill, InAGraph) {
  const Device d = Device::cpu(2);
  const auto fill = counting("refill-graph");
  const auto look = reading("refill-graph-read");
  auto c = Certified<i32, 1>::from_host(d, {6}, std::vector<i32>(6, 3), 4);
  auto y = Tensor<i32, 1>::zeros(d, {6});
  Recorder recorder(d);
  look(out(y), c).start(recorder); // what was there before
  fill(out(c)).start(recorder);
  const Graph graph = std::move(recorder).finish();
  graph.start();
  EXPECT_EQ(y.to_host(), std::vector<i32>(6, 3));
  fill(out(c)).sync(); // a graph is no owner who relies on the values
  graph.sync();
  EXPECT_EQ(y.to_host(), (std::vector<i32>{0, 1, 2, 3, 0, 1}));
  EXPECT_TRUE(c.ready());
  EXPECT_MESSAGE((void)std::move(c).tensor(), "other owners: copies of it, graphs");
  {
    const auto copy = c;
    EXPECT_ERROR(LaunchError, graph.start(), "refills has other owners, for whom it does not change");
  }
  graph.sync();
  Pinned<i32> pinned(d, 6);
  c.copy_to(pinned).start();
  EXPECT_EQ(pinned.to_host()[3], 3);
}

TEST(Refill, AGraphMayBeTheOnlyOwner) {
  const Device d = Device::cpu(2);
  const auto fill = counting("refill-graph-only");
  const auto read = reading("refill-graph-only-read");
  auto y = Tensor<i32, 1>::zeros(d, {6});
  Recorder recorder(d);
  {
    auto c = Certified<i32, 1>::from_host(d, {6}, {4, 4, 4, 4, 4, 4}, 5);
    fill(out(c)).start(recorder);
    read(out(y), c).start(recorder);
  }
  const Graph graph = std::move(recorder).finish();
  graph.sync();
  EXPECT_EQ(y.to_host(), (std::vector<i32>{0, 1, 2, 3, 4, 0}));
}

TEST(Refill, BoundsAreThoseThatKernelsReckonWith) {
  const Device d = Device::cpu(2);
  const auto k = counting("refill-bounds");
  const auto launch = [&](i64 n) { std::ignore = k(fresh(d, 6).below(n)).sync(); };
  EXPECT_ERROR(LaunchError, launch(0),
               "kernel 'refill-bounds' was not launched: parameter 1 has elements, but its bound is 0: there is no value that they "
               "could hold");
  EXPECT_ERROR(LaunchError, launch(-1), "parameter 1 is to hold values below -1: the bound is 0 to 281474976710656 (2^48)");
  EXPECT_ERROR(LaunchError, launch((i64{1} << 48) + 1), "the bound is 0 to 281474976710656 (2^48)");
  auto none = Certified<i32, 1>::from_host(d, {2}, {-1, -1}, 0, or_none);
  EXPECT_ERROR(LaunchError, k(out(none)).sync(), "its bound is 0");
  EXPECT_EQ(d.statistics().launches, 0);
}

TEST(Refill, InPlace) {
  const Device d = Device::cpu(2);
  const auto k = counting("refill-in-place");
  auto c = Certified<i32, 1>::from_host(d, {3}, {4, 4, 4}, 5);
  k(out(c)).sync();
  EXPECT_EQ(c.to_host(), (std::vector<i32>{0, 1, 2}));
  auto back = k(std::move(c)).sync();
  EXPECT_EQ(back.bound(), 5);
  EXPECT_EQ(back.to_host(), (std::vector<i32>{0, 1, 2}));
  EXPECT_ERROR(LaunchError, k(out(c)).sync(), "parameter 1 is a tensor that was moved from or never made");
  auto perhaps = Certified<i32, 1>::from_host(d, {3}, {-1, 4, -1}, 5, or_none);
  perhaps = k(std::move(perhaps)).sync();
  EXPECT_TRUE(perhaps.or_none()) << "if the launch had failed, -1 might still be there";
}

TEST(Refill, OtherOwnersRelyOnWhatIsThere) {
  const Device d = Device::cpu(2);
  const auto k = counting("refill-owners");
  auto c = Certified<i32, 1>::from_host(d, {3}, {4, 4, 4}, 5);
  {
    const auto copy = c;
    const std::string part = "parameter 1 is refilled, but it has other owners, for whom it does not change: copies of it, or "
                             "operations that have not run yet; drop them, or write fresh(extents...).below(n)";
    EXPECT_ERROR(LaunchError, k(out(c)).sync(), part);
    EXPECT_ERROR(LaunchError, std::ignore = k(std::move(c)).sync(), part);
    EXPECT_EQ(c.to_host(), copy.to_host()) << "it stays where it was";
  }
  const auto r = reading("refill-owners-read");
  auto pending = r(fresh(3), c);
  EXPECT_ERROR(LaunchError, k(out(c)).sync(), "other owners");
  EXPECT_EQ(std::move(pending).sync().to_host(), std::vector<i32>(3, 4));
  auto lent = k(out(c));
  EXPECT_ERROR(LaunchError, std::ignore = r(fresh(3), c).sync(), "parameter 2 is an output of an operation that has not run yet");
  EXPECT_MESSAGE(c.to_host(), "lent by out()");
  {
    const auto copy = c; // since it was lent
    EXPECT_ERROR(LaunchError, std::move(lent).sync(), "other owners");
  }
  std::move(lent).sync();
  EXPECT_EQ(c.to_host(), (std::vector<i32>{0, 1, 2}));
}

TEST(Refill, OnlyWhatTheKernelProvesIsPromised) {
  const Device d = Device::cpu(2);
  const auto k = counting("refill-promise");
  auto slots = Certified<i32, 1>::from_host(d, {3}, {0, 1, 2}, 5, distinct);
  EXPECT_ERROR(LaunchError, k(out(slots)).sync(),
               "parameter 1 is refilled with values below a bound, but it is certified to hold distinct values, which the kernel "
               "does not prove; write fresh(extents...).below(n)");
  auto offsets = Certified<i32, 1>::from_host(d, {3}, {0, 1, 2}, 5, as_offsets);
  EXPECT_ERROR(LaunchError, std::ignore = k(std::move(offsets)).sync(), "certified as offsets, which the kernel does not prove");
  EXPECT_EQ(offsets.to_host(), (std::vector<i32>{0, 1, 2})) << "it stays where it was";
}

std::vector<i32> seen;

class GpuRefill : public WithoutDiskCache {};

/// Memory of the fake driver holds something else until it is written.
TEST_F(GpuRefill, WorkBehindAFailureFindsValuesBelowTheBound) {
  fake::define_entry("refill-fails", [](void** p, std::int64_t block) { // and writes nothing
    if (block == 0)
      fail_at_first_site(fake::word(p, 6));
  });
  GpuKernel fails = code("refill-fails");
  fails.sites = {{Site::Kind::check, {"a.cpp", 7, 3}, "wrong", {}}};
  fake::define_gpu("refill-gpu", fails);
  fake::define_entry("refill-looks", [](void** p, std::int64_t) {
    for (std::int64_t i = 0; i < fake::word(p, 4); ++i)
      seen.push_back(reinterpret_cast<const i32*>(fake::word(p, 3))[i]);
  });
  fake::define_gpu("refill-gpu-read", code("refill-looks"));
  const auto k = covering<count>("refill-gpu");
  const auto r = covering<read>("refill-gpu-read");
  seen.clear();
  const Device device = fake::gpu();
  const auto c = k(fresh(device, 3).below(5)).start();
  const auto y = r(fresh(3), c).start();
  EXPECT_ERROR(LaunchError, y.to_host(), "wrong");
  EXPECT_EQ(seen, std::vector<i32>(3, 0));
}

} // namespace
