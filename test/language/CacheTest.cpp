// How often kernels are traced and compiled.
#include "Language.h"

namespace tegula::test {
namespace {

int traces = 0;

template <int N> void doubled(Out<f32, N> y, In<f32, N> x) {
  ++traces;
  y.store(x[y] * 2);
}

TEST(Cache, ASecondLaunchCompilesNothing) {
  const Device device = test_device(1);
  const i64 compiled_before = device.statistics().kernels_compiled;
  auto k = kernel<doubled<16>>("doubled");
  EXPECT_EQ(k.timings().specialisations, 0);
  const auto run = [&](i64 n) {
    const auto x = Tensor<f32, 1>::full(device, {n}, 3);
    expect_same(k(Tensor<f32, 1>::zeros(device, {n}).partition<16>(), x).sync().to_host(),
                std::vector<f32>(static_cast<std::size_t>(n), 6));
  };
  run(100);
  const Timings first = k.timings();
  const int traced = traces;
  EXPECT_EQ(first.specialisations, 1);
  EXPECT_GT(first.compile_ms, 0);
  EXPECT_GT(first.trace_ms, 0);
  EXPECT_EQ(device.statistics().kernels_compiled - compiled_before, 1);
  // Code for a GPU also depends on whether extents are multiples of 16 bytes, and of the tile's: these are, and are not.
  for (i64 n : on_cpu() ? std::vector<i64>{100, 1, 17, 1000, 0} : std::vector<i64>{100, 4, 20, 1000})
    run(n);
  EXPECT_EQ(k.timings().specialisations, 1);
  EXPECT_EQ(k.timings().compile_ms, first.compile_ms);
  EXPECT_EQ(k.timings().trace_ms, first.trace_ms);
  EXPECT_EQ(traces, traced);
  EXPECT_EQ(device.statistics().kernels_compiled - compiled_before, 1);
}

TEST(Cache, StridesSpecialise) {
  const Device device = test_device(1);
  const i64 compiled_before = device.statistics().kernels_compiled;
  auto k = kernel("strided", [](Out<f32, 4, 8> y, In<f32, 4, 8> x) { y.store(x[y] + 1); });
  std::vector<f32> host;
  for (int i = 0; i < 16 * 16; ++i)
    host.push_back(f32(i));
  const auto x = Tensor<f32, 2>::from_host(device, {16, 16}, host);
  const auto launch = [&](const auto& input) {
    const auto want = map([](f32 v) { return v + 1; }, input.to_host());
    expect_same(k(Tensor<f32, 2>::zeros(device, {16, 16}).partition<4, 8>(), input).sync().to_host(), want);
    return k.timings().specialisations;
  };
  const auto view = x.view();
  EXPECT_EQ(launch(x), 1);
  EXPECT_EQ(launch(view), 1) << "a view of everything is the tensor";
  EXPECT_EQ(launch(view.transpose()), 2);
  EXPECT_EQ(launch(view.slice(0, 0, 1).broadcast<2>({16, 16})), 3);
  EXPECT_EQ(launch(view.transpose()), 3);
  EXPECT_EQ(launch(x), 3);
  EXPECT_EQ(device.statistics().kernels_compiled - compiled_before, 3);
}

TEST(Cache, EqualKernelsShareMachineCode) {
  const Device device = test_device(1);
  const i64 compiled_before = device.statistics().kernels_compiled;
  const auto x = Tensor<f32, 1>::full(device, {20}, 1);
  auto a = kernel<doubled<32>>("shared"), b = kernel<doubled<32>>("shared"), copy = a;
  for (const auto& k : {a, b, copy})
    expect_same(k(Tensor<f32, 1>::zeros(device, {20}).partition<32>(), x).sync().to_host(), std::vector<f32>(20, 2));
  EXPECT_EQ(device.statistics().kernels_compiled - compiled_before, 1);
  kernel<doubled<64>>("shared")(Tensor<f32, 1>::zeros(device, {20}).partition<64>(), x).sync();
  EXPECT_EQ(device.statistics().kernels_compiled - compiled_before, 2);
}

TEST(Cache, ScalarsDoNotSpecialise) {
  const Device device = test_device(1);
  auto k = kernel("scaled", [](Out<f32, 8> y, Scalar<f32> s, Scalar<i32> n) {
    auto r = full<f32, 8>(s);
    for ([[maybe_unused]] auto i : range(n))
      r *= 2;
    y.store(r);
  });
  for (int n : {0, 1, 5})
    for (f32 s : {1.0f, -3.0f})
      expect_same(k(Tensor<f32, 1>::zeros(device, {8}).partition<8>(), s, n).sync().to_host(),
                  std::vector<f32>(8, s * f32(1 << n)));
  EXPECT_EQ(k.timings().specialisations, 1);
}

TEST(Cache, NamesHintsAndStatistics) {
  const Device device = test_device(2);
  auto k = kernel<doubled<8>>("exp", {.stages = 4, .warps = 8}); // the name of a function that machine code may call
  EXPECT_STREQ(k.name(), "exp");
  EXPECT_EQ(k.hints().stages, 4);
  EXPECT_EQ(k.hints().warps, 8);
  const auto x = Tensor<f32, 1>::full(device, {100}, 1);
  const auto before = device.statistics();
  auto y = k(Tensor<f32, 1>::zeros(device, {100}).partition<8>(), x).sync();
  const auto after = device.statistics();
  EXPECT_EQ(after.launches - before.launches, 1);
  EXPECT_EQ(after.programs - before.programs, 13);
  EXPECT_EQ(y.to_host()[99], 2);
}

} // namespace
} // namespace tegula::test
