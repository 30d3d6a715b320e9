// How often kernels are traced and compiled.
#include "Language.h"

#include <memory>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

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
    expect_same(k(Tensor<f32, 1>::zeros(device, {n}), x).sync().to_host(), std::vector<f32>(static_cast<std::size_t>(n), 6));
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

/// What was proved is kept in the compiler, of which there is one: who drops a kernel waits for nobody, and nobody for him.
TEST(Cache, KernelsGoWhileOthersAreCompiled) {
  const Device device = test_device(1);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const auto k = kernel("goes", [](Out<f32, 4> y) { y.store(full<f32, 4>(7)); });
        prove(k);
        if (i % 5 == 0)
          EXPECT_EQ(k(Tensor<f32, 1>::zeros(device, {1})).sync().to_host(), std::vector<f32>{7});
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

/// In the parent and in the child.
TEST(Cache, KernelsGoInForkedProcesses) {
  auto k = std::make_unique<AnyKernel>(kernel("forked", [](Out<f32, 4> y) { y.store(full<f32, 4>(5)); }));
  prove(*k);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  k.reset();
  const auto again = kernel("after", [](Out<f32, 4> y) { y.store(full<f32, 4>(6)); });
  prove(again);
  if (child == 0)
    ::_exit(17);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 17) << status;
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
    expect_same(k(Tensor<f32, 2>::zeros(device, {16, 16}), input).sync().to_host(), want);
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
    expect_same(k(Tensor<f32, 1>::zeros(device, {20}), x).sync().to_host(), std::vector<f32>(20, 2));
  EXPECT_EQ(device.statistics().kernels_compiled - compiled_before, 1);
  kernel<doubled<64>>("shared")(Tensor<f32, 1>::zeros(device, {20}), x).sync();
  EXPECT_EQ(device.statistics().kernels_compiled - compiled_before, 2);
}

void read_in_one_mode(Out<f32, 64> y, In<f32, 64> table, Scalar<i64> mode, Scalar<i64> row) {
  auto x = ones<f32, 1>();
  if_(mode == 2, [&] { x = sum<0>(table(row)); });
  y.store(broadcast<64>(x));
}
void read_in_every_mode(Out<f32, 64> y, In<f32, 64> table, Scalar<i64> mode, Scalar<i64> row) {
  auto x = ones<f32, 1>();
  auto read = sum<0>(table(row));
  if_(mode == 2, [&] { x = read; });
  y.store(broadcast<64>(x));
}

/// Whoever is compiled first.
TEST(Cache, AKernelReadsWhereItsLoadStands) {
  for (const bool sometimes_first : {false, true}) {
    const Device device = test_device(1);
    const auto table = Tensor<f32, 1>::full(device, {256}, 0.5f);
    auto sometimes = kernel<read_in_one_mode>("read"), always = kernel<read_in_every_mode>("read");
    const auto run = [&](const auto& k, i64 mode, i64 row) {
      auto op = k(Tensor<f32, 1>::zeros(device, {64}), table, mode, row);
      try {
        return std::move(op).sync().to_host();
      } catch (const Error&) {
        (void)std::move(op).cancel();
        throw;
      }
    };
    for (const auto& k : {sometimes_first ? sometimes : always, sometimes_first ? always : sometimes}) {
      expect_same(run(k, 2, 1), std::vector<f32>(64, 32));
      expect_same(run(k, 0, 1), std::vector<f32>(64, 1));
    }
    for (const i64 row : {i64{-1'000'000'000}, i64{1} << 40}) {
      expect_same(run(sometimes, 0, row), std::vector<f32>(64, 1));
      EXPECT_THROW(run(always, 0, row), LaunchError);
    }
  }
}

TEST(Cache, AKernelNeedsAName) {
  const char* none = nullptr;
  for (const char* name : {none, ""}) {
    try {
      kernel<doubled<16>>(name);
      ADD_FAILURE() << "no error";
    } catch (const TraceError& error) {
      EXPECT_NE(std::string(error.what()).find("CacheTest.cpp:"), std::string::npos) << error.what();
      EXPECT_TRUE(std::string(error.what()).ends_with(": a kernel has no name; give it one: kernel<f>(\"name\")")) << error.what();
    }
  }
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
      expect_same(k(Tensor<f32, 1>::zeros(device, {8}), s, n).sync().to_host(), std::vector<f32>(8, s * f32(1 << n)));
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
  auto y = k(Tensor<f32, 1>::zeros(device, {100}), x).sync();
  const auto after = device.statistics();
  EXPECT_EQ(after.launches - before.launches, 1);
  EXPECT_EQ(after.programs - before.programs, 13);
  EXPECT_EQ(y.to_host()[99], 2);
}

} // namespace
} // namespace tegula::test
