// Launches of kernels whose compiled programs are C++ functions.
#include "Expect.h"
#include "FakeCompiler.h"
#include "lib/runtime/Inspect.h"
#include "tegula/tegula.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace tegula;

template <int N> void scale(Out<f32, N> y, In<f32, N> x, Scalar<f32> s) { y.store(x[y] * s); }

/// y[i] = x[i] * s for the tile of this program. Words: y, extent, stride; x, extent, stride; s.
void scale_program(const std::int64_t* words, std::int64_t program, std::int64_t, void*, void*) {
  float s;
  std::memcpy(&s, &words[6], sizeof s);
  for (std::int64_t i = program * 4; i < program * 4 + 4 && i < words[1]; ++i)
    reinterpret_cast<float*>(words[0])[i * words[2]] =
        i < words[4] ? reinterpret_cast<const float*>(words[3])[i * words[5]] * s : 0;
}

auto scale_kernel(const char* name) {
  fake::define(name, scale_program);
  return kernel<scale<4>>(name);
}

Tensor<f32, 1> ramp(const Device& device, i64 n) {
  std::vector<f32> host;
  for (i64 i = 0; i < n; ++i)
    host.push_back(static_cast<f32>(i));
  return Tensor<f32, 1>::from_host(device, {n}, host);
}

TEST(Launch, RunsEveryProgramAndReturnsTheOutput) {
  const Device d = Device::cpu();
  const auto k = scale_kernel("runs");
  for (i64 n : {1, 4, 5, 4001, 100000}) {
    const auto x = ramp(d, n);
    const auto y = k(Tensor<f32, 1>::zeros(d, {n}), x, 2).sync();
    const auto host = y.to_host();
    for (i64 i = 0; i < n; ++i)
      ASSERT_EQ(host[static_cast<std::size_t>(i)], static_cast<f32>(2 * i));
  }
}

TEST(Launch, TakesViewsAndSharedTensors) {
  const Device d = Device::cpu();
  const auto k = scale_kernel("views");
  auto x = ramp(d, 10);
  auto y = k(Tensor<f32, 1>::zeros(d, {3}), x.view().slice(0, 7, 10), 1.0).sync();
  EXPECT_EQ(y.to_host(), (std::vector<f32>{7, 8, 9}));
  auto v = x.view().slice(0, 1, 2);
  y = k(std::move(y), v, 1.0f).sync();
  EXPECT_EQ(y.to_host(), (std::vector<f32>{1, 0, 0}));
  y = k(std::move(y), std::move(x).share(), bf16(0.5f)).sync();
  EXPECT_EQ(y.to_host(), (std::vector<f32>{0, 0.5f, 1}));
}

TEST(Launch, AnOpOfSharedInputsMoves) {
  const Device d = Device::cpu();
  const auto k = scale_kernel("moves");
  const auto x = ramp(d, 4).share();
  auto op = k(Tensor<f32, 1>::zeros(d, {4}), x, 3);
  std::vector<f32> host;
  std::thread([&host, op = std::move(op)]() mutable { host = std::move(op).sync().to_host(); }).join();
  EXPECT_EQ(host, (std::vector<f32>{0, 3, 6, 9}));
  static_assert(!std::is_move_constructible_v<decltype(k(Tensor<f32, 1>::zeros(d, {4}), x.view(), 3))>);
}

TEST(Launch, EmptyRunsNothing) {
  const Device d = Device::cpu(2);
  fake::define("empty", [](auto...) { FAIL(); });
  const auto x = ramp(d, 4);
  const auto y = kernel<scale<4>>("empty")(Tensor<f32, 1>::zeros(d, {0}), x, 3).sync();
  EXPECT_EQ(y.size(), 0);
  EXPECT_EQ(d.statistics().launches, 0);
}

TEST(Launch, ReturnsSeveralOutputs) {
  const Device d = Device::cpu();
  fake::define("several", [](const std::int64_t* w, std::int64_t program, std::int64_t programs, void*, void*) {
    reinterpret_cast<i32*>(w[0])[program * w[3]] = static_cast<i32>(program);
    reinterpret_cast<i64*>(w[5])[program] = programs;
  });
  const auto k = kernel("several", [](Out<i32, 1, 2> a, Out<i64, 1> b) {
    a.store(zeros<i32, 1, 2>());
    b.store(zeros<i64, 1>());
  });
  auto [a, b] = k(Tensor<i32, 2>::zeros(d, {3, 2}), Tensor<i64, 1>::zeros(d, {3})).sync();
  EXPECT_EQ(a.to_host(), (std::vector<i32>{0, 0, 1, 0, 2, 0}));
  EXPECT_EQ(b.to_host(), (std::vector<i64>{3, 3, 3}));
  auto op = k(std::move(a), Tensor<i64, 1>::zeros(d, {4}));
  EXPECT_ERROR(LaunchError, std::move(op).sync(),
               "kernel 'several' was not launched: parameter 1 (3×2 in tiles of 1×2) has 3×1 tiles, parameter 2 (4 in tiles of 1) "
               "has 4 tiles");
  auto [a2, b2] = std::move(op).cancel();
  EXPECT_EQ(a2.size() + b2.size(), 10);
}

TEST(Launch, PiecesChooseTheNumberOfPrograms) {
  const Device d = Device::cpu(3);
  fake::define("pieces", [](const std::int64_t* w, std::int64_t program, std::int64_t programs, void*, void*) {
    for (std::int64_t i = program; i < w[1]; i += programs)
      reinterpret_cast<i64*>(w[0])[i] = programs;
  });
  const auto k = kernel("pieces", [](OutTiles<i64, 1> y) {
    for (auto t : y.my_tiles())
      t.store(zeros<i64, 1>());
  });
  const auto programs = [&](i64 n, i64 asked) { return k(Tensor<i64, 1>::zeros(d, {n})).programs(asked).sync().to_host(); };
  EXPECT_EQ(programs(7, 0), std::vector<i64>(7, 3));
  EXPECT_EQ(programs(2, 0), std::vector<i64>(2, 2));
  EXPECT_EQ(programs(7, 5), std::vector<i64>(7, 5));
  EXPECT_EQ(programs(0, 5), std::vector<i64>());
  EXPECT_ERROR(LaunchError, programs(7, -1), "it asks for programs(-1); programs(0) means one per core");
  const auto both = kernel("pieces", [](OutTiles<i64, 1> y, Out<i64, 1> z) {
    for (auto t : y.my_tiles())
      t.store(zeros<i64, 1>());
    z.store(zeros<i64, 1>());
  });
  EXPECT_ERROR(LaunchError, both(Tensor<i64, 1>::zeros(d, {7}), Tensor<i64, 1>::zeros(d, {4})).programs(2).sync(),
               "it asks for programs(2), but parameter 2 (4 in tiles of 1) has 4 tiles, which makes 4");
}

TEST(Launch, PiecesWithoutAProgramAreRefused) {
  const Device d = Device::cpu(2);
  fake::define("unwritable", [](auto...) { FAIL(); });
  const auto k = kernel("unwritable", [](OutTiles<i64, 1> y, Out<i64, 1> z) {
    for (auto t : y.my_tiles())
      t.store(zeros<i64, 1>());
    z.store(zeros<i64, 1>());
  });
  auto op = k(Tensor<i64, 1>::zeros(d, {7}), Tensor<i64, 1>::zeros(d, {0}));
  EXPECT_ERROR(LaunchError, std::move(op).sync(),
               "kernel 'unwritable' was not launched: parameter 2 (0 in tiles of 1) has 0 tiles, so there is no program that could "
               "write parameter 1");
  EXPECT_EQ(std::get<0>(std::move(op).cancel()).size(), 7);
  EXPECT_EQ(std::get<0>(k(Tensor<i64, 1>::zeros(d, {0}), Tensor<i64, 1>::zeros(d, {0})).sync()).size(), 0);
}

TEST(Launch, AccumulationsChooseTheNumberOfPrograms) {
  const Device d = Device::cpu(3);
  const auto count = [](const std::int64_t* w, std::int64_t program, std::int64_t programs, void*, void*) {
    if (program == 0 && w[1] > 0)
      *reinterpret_cast<i64*>(w[0]) += programs;
  };
  fake::define("accumulates", count);
  const auto k = kernel("accumulates", [](AddInto<i64, 2> y) { y.accumulate(ones<i64, 2>(), 0); });
  const auto programs = [&](i64 n, i64 asked) { return k(Tensor<i64, 1>::full(d, {n}, 100)).programs(asked).sync().to_host(); };
  EXPECT_EQ(programs(20, 0)[0], 103);
  EXPECT_EQ(programs(3, 0)[0], 102) << "no more than tiles";
  EXPECT_EQ(programs(1, 50)[0], 150);
  EXPECT_EQ(programs(0, 50).size(), 0u);
  EXPECT_ERROR(LaunchError, programs(7, -1), "it asks for programs(-1); programs(0) means one per core");

  fake::define("accumulates-beside", count);
  const auto beside = kernel("accumulates-beside", [](AddInto<i64, 2> y, OutTiles<i64, 1> z) {
    y.accumulate(ones<i64, 2>(), 0);
    for (auto t : z.my_tiles())
      t.store(zeros<i64, 1>());
  });
  const auto both = [&](i64 tiles, i64 asked) {
    return std::get<0>(beside(Tensor<i64, 1>::zeros(d, {20}), Tensor<i64, 1>::zeros(d, {tiles})).programs(asked).sync())
        .to_host()[0];
  };
  EXPECT_EQ(both(2, 0), 2) << "the pieces decide";
  EXPECT_EQ(both(0, 0), 3) << "unless there are none";
  EXPECT_EQ(both(2, 5), 5);
}

TEST(Launch, InOutsAndPatchesCountLikeOutputs) {
  const Device d = Device::cpu(3);
  fake::define("inouts", [](const std::int64_t* w, std::int64_t program, std::int64_t programs, void*, void*) {
    for (std::int64_t i = program; i < w[1]; i += programs)
      reinterpret_cast<i64*>(w[0])[i] += programs;
  });
  const auto inout = kernel("inouts", [](InOut<i64, 1> y) { y.store(y.load() + 1); });
  EXPECT_EQ(inout(Tensor<i64, 1>::full(d, {7}, 10)).sync().to_host(), std::vector<i64>(7, 17));
  const auto patch = kernel("inouts", [](Patch<i64, 1> y) { y.tile(this_program()).store(zeros<i64, 1>()); });
  EXPECT_EQ(patch(Tensor<i64, 1>::full(d, {7}, 10)).sync().to_host(), std::vector<i64>(7, 13));
  EXPECT_EQ(patch(Tensor<i64, 1>::full(d, {7}, 10)).programs(2).sync().to_host(), std::vector<i64>(7, 12));
}

TEST(Launch, AllArgumentsAreOnOneDevice) {
  const Device one = Device::cpu(), other = Device::cpu(2);
  const auto k = scale_kernel("devices");
  const auto x = ramp(other, 4);
  EXPECT_ERROR(LaunchError, k(Tensor<f32, 1>::zeros(one, {4}), x, 1).sync(),
               "kernel 'devices' was not launched: parameter 2 is on device 'cpu with 2 threads', parameter 1 on device 'cpu'");
}

TEST(Launch, IntegersMustFit) {
  const Device d = Device::cpu();
  fake::define("integers",
               [](const std::int64_t* w, std::int64_t, std::int64_t, void*, void*) { *reinterpret_cast<i64*>(w[0]) = w[3]; });
  const auto run = [&](const auto& k, auto value) { return k(Tensor<i64, 1>::zeros(d, {1}), value).sync().to_host()[0]; };
  const auto small = kernel("integers", [](Out<i64, 1> y, Scalar<i8> s) { y.store(full<i64, 1>(cast<i64>(s))); });
  EXPECT_EQ(run(small, -128) & 0xff, 128);
  EXPECT_EQ(run(small, u64{127}), 127);
  EXPECT_ERROR(LaunchError, run(small, 128), "parameter 2 is a scalar i8, which cannot hold 128");
  EXPECT_ERROR(LaunchError, run(small, -129), "parameter 2 is a scalar i8, which cannot hold -129");
  const auto natural = kernel("integers", [](Out<i64, 1> y, Scalar<u64> s) { y.store(full<i64, 1>(cast<i64>(s))); });
  EXPECT_EQ(run(natural, ~u64{0}), -1);
  EXPECT_ERROR(LaunchError, run(natural, -1), "parameter 2 is a scalar u64, which cannot hold -1");
  const auto truth = kernel("integers", [](Out<i64, 1> y, Scalar<bool> s) { y.store(full<i64, 1>(cast<i64>(s))); });
  EXPECT_EQ(run(truth, true), 1);
}

TEST(Launch, FailureLosesNothing) {
  const Device d = Device::cpu(2);
  const auto k = scale_kernel("fails");
  fake::fail("fails", 1);
  const auto x = ramp(d, 4);
  auto op = k(Tensor<f32, 1>::full(d, {4}, 5), x, 2);
  EXPECT_ERROR(InternalError, std::move(op).sync(), "the compiler failed");
  EXPECT_EQ(std::move(op).sync().to_host(), (std::vector<f32>{0, 2, 4, 6})) << "the second time it compiles";

  auto again = k(Tensor<f32, 1>::full(d, {4}, 5), x, 2);
  EXPECT_EQ(std::move(again).cancel().to_host(), std::vector<f32>(4, 5));
  EXPECT_ERROR(LaunchError, std::move(again).sync(), "has already been run or given up");
  EXPECT_ERROR(LaunchError, std::move(again).cancel(), "has already been run or given up");
}

TEST(Launch, AnOutdatedViewIsRefused) {
  const Device d = Device::cpu();
  const auto k = scale_kernel("outdated");
  auto x = ramp(d, 4);
  auto v = x.view();
  const auto moved = std::move(x);
  auto y = Tensor<f32, 1>::zeros(d, {4});
  EXPECT_ERROR(LaunchError, (void)k(std::move(y), v, 1).sync(), "parameter 2 is a view of a tensor that has been moved");
  EXPECT_EQ(y.size(), 4) << "the output is still there";
}

TEST(Launch, AMovedArgumentIsRefused) {
  const Device d = Device::cpu();
  const auto k = scale_kernel("moved");
  auto x = ramp(d, 4);
  const auto y = std::move(x);
  auto output = Tensor<f32, 1>::zeros(d, {4});
  EXPECT_ERROR(LaunchError, (void)k(std::move(output), x, 1).sync(),
               "kernel 'moved' was not launched: parameter 2 is a tensor that was moved from");
  const auto back = std::move(output);
  EXPECT_EQ(back.size(), 4);
  EXPECT_ERROR(LaunchError, (void)k(std::move(output), y, 1).sync(), "parameter 1 is a tensor that was moved from or never made");
}

TEST(Launch, InputsAreFreeAfterwards) {
  const Device d = Device::cpu();
  const auto k = scale_kernel("free");
  auto x = ramp(d, 4);
  auto op = k(Tensor<f32, 1>::zeros(d, {4}), x, 2);
  auto y = std::move(op).sync();
  x = std::move(y); // the operation still exists
  EXPECT_EQ(x.to_host(), (std::vector<f32>{0, 2, 4, 6}));
}

TEST(LaunchDeathTest, AMovedInputOfAPendingOpAborts) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Device d = Device::cpu();
  const auto k = scale_kernel("aborts");
  auto x = ramp(d, 4);
  EXPECT_DEATH(
      {
        auto op = k(Tensor<f32, 1>::zeros(d, {4}), x, 2);
        auto y = std::move(x);
        std::move(op).cancel();
      },
      "a tensor was moved while an operation that has not run yet reads it");
  EXPECT_DEATH(
      {
        auto op = k(Tensor<f32, 1>::zeros(d, {4}), x, 2);
        x = ramp(d, 3);
        std::move(op).cancel();
      },
      "a tensor was assigned to while an operation");
}

TEST(Launch, DroppedOpsAreReported) {
  const Device d = Device::cpu();
  const auto k = scale_kernel("dropped");
  const auto x = ramp(d, 4);
  testing::internal::CaptureStderr();
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wconsumed" // the mistake
  {
    [[maybe_unused]] auto op = k(Tensor<f32, 1>::zeros(d, {4}), x, 2);
  }
#pragma clang diagnostic pop
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "tegula: an operation of kernel 'dropped' was dropped and never run; call "
                                                    "sync() or start(), or cancel() to get its outputs back\n");
}

TEST(Specialisation, ComesFromTheStrides) {
  const Device d = Device::cpu(2);
  fake::define("strides", [](auto...) {});
  const auto k = kernel("strides", [](Out<f32, 2, 2> y, In<f32, 2, 2> x) { y.store(x[y]); });
  const auto x = Tensor<f32, 2>::zeros(d, {4, 6}), column = Tensor<f32, 2>::zeros(d, {4, 1});
  const auto run = [&](const View<f32, 2>& view) { k(Tensor<f32, 2>::zeros(d, {4, 4}), view).sync(); };
  run(x.view());
  run(x.view().slice(1, 2, 4));
  EXPECT_EQ(fake::compiled("strides").size(), 1u);
  run(x.view().transpose());
  run(column.view().broadcast<2>({4, 4}));
  run(column.view());             // innermost of extent 1
  run(column.view().transpose()); // 1×4: the first axis is never stepped along
  run(x.view().slice(0, 1, 2));   // 1×6, the same
  const auto compiled = fake::compiled("strides");
  using enum Stride;
  const Specialisation expected[] = {
      {{{any, one}}, {{any, one}}},
      {{{any, one}}, {{one, any}}},
      {{{any, one}}, {{one, zero}}},
      {{{any, one}}, {{one, one}}},
  };
  ASSERT_EQ(compiled.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(compiled[i], expected[i]) << i;
  EXPECT_EQ(k.timings().specialisations, 4);
  EXPECT_EQ(k.timings().compile_ms, 8);
}

TEST(Specialisation, IsCompiledOnceByAllKernelsAndThreads) {
  const Device d = Device::cpu(4);
  fake::define("once", scale_program);
  const auto x = ramp(d, 64);
  std::atomic<int> wrong{0};
  const auto launch = [&] {
    const auto k = kernel<scale<4>>("once");
    for (int i = 0; i < 20; ++i)
      wrong += k(Tensor<f32, 1>::zeros(d, {64}), x, i).sync().to_host()[63] != static_cast<f32>(63 * i);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(launch);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(fake::compiled("once").size(), 1u);
  EXPECT_EQ(d.statistics().kernels_compiled, 1);
  EXPECT_EQ(d.statistics().launches, 80);
  EXPECT_EQ(d.statistics().programs, 80 * 16);
}

TEST(Kernel, KeepsItsNameHintsAndTrace) {
  const auto k = kernel<scale<4>>("named", {.stages = 4, .warps = 8});
  const auto copy = k;
  EXPECT_STREQ(copy.name(), "named");
  EXPECT_EQ(copy.hints().stages, 4);
  EXPECT_EQ(&trace_of(k), &trace_of(copy));
  ASSERT_EQ(trace_of(k).parameters.size(), 3u);
  EXPECT_EQ(row_major(trace_of(k)), (Specialisation{{{Stride::one}}, {{Stride::one}}, {}}));
}

TEST(Scratch, IsAlignedBigEnoughAndPrivate) {
  const Device d = Device::cpu(4);
  fake::define(
      "scratch",
      [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void* scratch) {
        auto* bytes = static_cast<unsigned char*>(scratch);
        std::memset(bytes, static_cast<int>(program), 100000);
        std::this_thread::yield();
        bool fine = reinterpret_cast<std::uintptr_t>(scratch) % 64 == 0;
        for (int i = 0; i < 100000; i += 999)
          fine &= bytes[i] == static_cast<unsigned char>(program);
        reinterpret_cast<i32*>(w[0])[program] = fine;
      },
      {}, 100000);
  const auto k = kernel("scratch", [](Out<i32, 1> y) { y.store(zeros<i32, 1>()); });
  EXPECT_EQ(k(Tensor<i32, 1>::zeros(d, {500})).sync().to_host(), std::vector<i32>(500, 1));
}

} // namespace
