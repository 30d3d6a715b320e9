// Launches on a GPU whose entries are C++ functions: parameters, specialisations, code, graphs.
#include "Expect.h"
#include "FakeCompiler.h"
#include "FakeDriver.h"
#include "GpuKernels.h"
#include "lib/runtime/gpu/Launch.h"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace tegula;
using fake::word;

std::vector<i32> counted(i64 n) {
  std::vector<i32> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

class GpuLaunch : public WithoutDiskCache {};

TEST_F(GpuLaunch, RunsEveryProgramAndReturnsTheOutput) {
  const Device d = fake::gpu();
  const auto k = counter("gpu runs", {.stages = 3, .warps = 8, .max_regs = 168});
  for (i64 n : {1, 4, 5, 4001})
    EXPECT_EQ(k(Tensor<i32, 1>::zeros(d, {n})).sync().to_host(), counted(n));
  EXPECT_EQ(d.statistics().launches, 4);
  EXPECT_EQ(d.statistics().programs, 1 + 1 + 2 + 1001);
  const GpuOptions options = fake::gpu_options();
  EXPECT_EQ(options.target, "sm_90a");
  EXPECT_EQ(options.stages, 3);
  EXPECT_EQ(options.warps, 8);
  EXPECT_EQ(options.max_regs, 168);
}

TEST_F(GpuLaunch, PassesTheWordsOfEveryArgument) {
  const Device d = fake::gpu();
  static std::vector<std::int64_t> words;
  fake::define_entry("words", [](void** p, std::int64_t) {
    words.clear();
    for (int i = 0; i < 14; ++i)
      words.push_back(word(p, i));
  });
  fake::define_gpu("gpu words", code("words"));
  const auto k = kernel("gpu words", [](Out<f32, 2, 2> y, Index<i32, 2> x, Scalar<f64> s) {
    y.store(broadcast<2, 2>(cast<f32>(x(0)) + cast<f32>(s)));
  });
  const auto x = Certified<i32, 1>::from_host(d, {3}, {0, 1, 2}, 9);
  k(Tensor<f32, 2>::zeros(d, {2, 2}), x, 1.5).sync();
  EXPECT_NE(words[13], 0) << "it is read where no tensor may be";
  words[0] = words[5] = words[13] = 0; // addresses
  const double s = 1.5;
  std::int64_t bits;
  std::memcpy(&bits, &s, sizeof bits);
  EXPECT_EQ(words, (std::vector<std::int64_t>{0, 2, 2, 2, 1, 0, 3, 1, 9, bits, 0, 1, 0, 0}))
      << "view, index with its bound, scalar, first program, programs, messages";
}

TEST_F(GpuLaunch, IsSpecialisedToStridesAlignmentAndWholeTiles) {
  const Device d = fake::gpu();
  fake::define_entry("nothing", [](void**, std::int64_t) {});
  fake::define_gpu("gpu facts", code("nothing"));
  const auto k = kernel("gpu facts", [](Out<f32, 4, 4> y, In<f32, 4, 4> x) { y.store(x[y]); });
  const auto x = Tensor<f32, 2>::zeros(d, {8, 8}), odd = Tensor<f32, 2>::zeros(d, {8, 6});
  const auto run = [&](const View<f32, 2>& view) { k(Tensor<f32, 2>::zeros(d, {4, 4}), view).sync(); };
  run(x.view());
  run(x.view().slice(0, 0, 4)); // the same
  run(x.view().slice(1, 4, 8)); // the same: 16 bytes further
  run(x.view().slice(1, 1, 5)); // 4 bytes further
  run(x.view().slice(0, 0, 3)); // half a tile
  run(x.view().slice(1, 0, 6)); // a row ends at 24 bytes
  run(odd.view());              // and the next one starts there
  run(x.view().transpose());
  run(x.view().slice(0, 0, 1).broadcast<2>({8, 8}));
  using enum Stride;
  const ViewFacts y{{any, one}, true, true};
  const auto settled = [&](Strides strides, bool aligned, bool whole) {
    return Specialisation{y, {strides, aligned, whole, true}};
  };
  const std::vector<Specialisation> expected{settled({any, one}, true, true),  settled({any, one}, false, true),
                                             settled({any, one}, true, false), settled({any, one}, false, false),
                                             settled({one, any}, true, true),  settled({zero, one}, true, true)};
  EXPECT_EQ(fake::compiled("gpu facts"), expected);
  EXPECT_EQ(k.timings().specialisations, 6);
  EXPECT_EQ(d.statistics().kernels_compiled, 6);
  EXPECT_EQ(fake::calls("cuModuleLoadDataEx"), 6);
}

TEST_F(GpuLaunch, WhatNodesOfItsGraphWriteIsNotSettled) {
  const Device d = fake::gpu();
  fake::define_entry("nothing", [](void**, std::int64_t) {});
  fake::define_gpu("gpu nodes", code("nothing"));
  const auto k = kernel("gpu nodes", [](Out<f32, 4> y, In<f32, 4> x, In<f32, 4> w) { y.store(x[y] + w[y]); });
  const auto x = Tensor<f32, 1>::zeros(d, {4}), w = Tensor<f32, 1>::zeros(d, {4});
  auto y = Tensor<f32, 1>::zeros(d, {4}), z = Tensor<f32, 1>::zeros(d, {4});
  k(out(y), x, w).sync();
  Recorder recorder(d);
  k(out(y), x, w).start(recorder); // as outside of graphs
  k(out(z), y, w).start(recorder);
  k(out(y), w, z).start(recorder);
  EXPECT_EQ(k.timings().specialisations, 1) << "what later nodes write is not known yet";
  const Graph graph = std::move(recorder).finish();
  const ViewFacts written{{Stride::one}, true, true, false}, settled{{Stride::one}, true, true, true};
  const std::vector<Specialisation> expected{{written, settled, settled}, {written, written, settled}, {written, settled, written}};
  EXPECT_EQ(fake::compiled("gpu nodes"), expected);
}

TEST_F(GpuLaunch, HintsTellKernelsApart) {
  const Device d = fake::gpu();
  const auto two = counter("gpu hints", {.warps = 2}), four = counter("gpu hints", {.warps = 4});
  for (const auto& k : {two, four, two})
    k(Tensor<i32, 1>::zeros(d, {4})).sync();
  EXPECT_EQ(d.statistics().kernels_compiled, 2);
}

TEST_F(GpuLaunch, AKernelKeepsNoCodeOfADeviceThatIsGone) {
  const auto k = counter("gpu gone");
  for (int i = 0; i < 3; ++i) {
    {
      const Device d = fake::gpu();
      EXPECT_EQ(k(Tensor<i32, 1>::zeros(d, {5})).sync().to_host(), counted(5));
      EXPECT_EQ(fake::calls("cuModuleUnload"), 0);
    }
    EXPECT_EQ(fake::calls("cuModuleUnload"), 1);
  }
}

TEST_F(GpuLaunch, MuchSharedMemoryIsAskedFor) {
  const Device d = fake::gpu();
  const auto k = counter("gpu shared");
  GpuKernel large = code("count");
  large.shared_bytes = 200 * 1024;
  fake::define_gpu("gpu shared", large);
  k(Tensor<i32, 1>::zeros(d, {4})).sync();
  EXPECT_EQ(fake::calls("cuFuncSetAttribute"), 1);
  const auto too_large = kernel("gpu too large", [](Out<i32, 4> y) { y.store(zeros<i32, 4>() + 1); });
  large.shared_bytes = 300 * 1024;
  fake::define_gpu("gpu too large", large);
  EXPECT_ERROR(DriverError, (void)too_large(Tensor<i32, 1>::zeros(d, {4})).sync(),
               "tegula: kernel 'gpu too large' asks for 307200 bytes of shared memory for a program; use smaller tiles, or fewer "
               "stages in its hints: cuFuncSetAttribute failed on device");
  EXPECT_EQ(fake::calls("cuModuleUnload"), 1);
}

TEST_F(GpuLaunch, WhatTheAssemblerSaysIsTold) {
  const Device d = fake::gpu();
  const auto k = counter("gpu assembled");
  fake::fail_call("cuLinkAddData_v2", 218);
  EXPECT_ERROR(
      DriverError, (void)k(Tensor<i32, 1>::zeros(d, {4})).sync(),
      "tegula: assembling kernel 'gpu assembled' for sm_90a, which the assembler refused with \"kernel.ptx, line 1; error: as "
      "told\": cuLinkAddData_v2 failed on device 'Fake (sm_90a, driver 12.4)': CUDA_ERROR_FAKE (218, as the test asked for)");
  EXPECT_EQ(fake::calls("cuLinkDestroy"), 1);
  fake::fail_call("cuModuleLoadDataEx", 209);
  EXPECT_ERROR(DriverError, (void)k(Tensor<i32, 1>::zeros(d, {4})).sync(), "loading kernel 'gpu assembled'");
  fake::fail_call("cuModuleGetFunction", 500);
  EXPECT_ERROR(DriverError, (void)k(Tensor<i32, 1>::zeros(d, {4})).sync(), "finding 'count' in kernel 'gpu assembled'");
  EXPECT_EQ(k(Tensor<i32, 1>::zeros(d, {4})).sync().to_host(), counted(4)) << "it is tried again";
}

TEST_F(GpuLaunch, TheKernelThatLostTheDeviceIsNamed) {
  const Device d = fake::gpu();
  const auto bad = counter("gpu bad"), next = counter("gpu next");
  fake::fail_call("cuLaunchKernel", 701);
  EXPECT_ERROR(
      DriverError, (void)bad(Tensor<i32, 1>::zeros(d, {8})).sync(),
      "tegula: kernel 'gpu bad' (2 programs of 128 threads, 0 bytes of shared memory each): cuLaunchKernel failed on device "
      "'Fake (sm_90a, driver 12.4)': CUDA_ERROR_FAKE (701, as the test asked for); the kernel needs more registers");
  fake::fail_call("cuEventSynchronize", 700);
  auto op = bad(Tensor<i32, 1>::zeros(d, {8}));
  EXPECT_ERROR(DriverError, std::move(op).sync(),
               "kernel 'gpu bad': "
               "cuEventSynchronize failed");
  EXPECT_EQ(std::move(op).cancel().size(), 8);
  EXPECT_ERROR(DriverError, (Tensor<i32, 1>::zeros(d, {8})),
               "is lost, with all of its tensors: restart the program. It began with: "
               "tegula: kernel 'gpu bad'");
}

TEST_F(GpuLaunch, ManyProgramsTakeSeveralGrids) {
  const auto context = std::make_shared<gpu::Context>(fake::driver(), 0);
  static std::vector<std::int64_t> programs;
  programs.clear();
  fake::define_entry("ends", [](void** p, std::int64_t block) {
    programs.push_back(word(p, 0) + block);
    EXPECT_EQ(word(p, 1), (i64{1} << 32) + 5);
  });
  const std::string name = "grids";
  const auto loaded = std::make_shared<gpu::LoadedKernel>(context, name, code("ends"), "cubin:ends");
  gpu::Context::Use use(*context);
  const gpu::Launch launch{name, *loaded, (i64{1} << 32) + 5};
  gpu::Parameters parameters(*context, launch, {}, 0, {});
  gpu::start(*context, context->stream(), launch, parameters);
  constexpr i64 most = (i64{1} << 31) - 1;
  EXPECT_EQ(programs, (std::vector<std::int64_t>{0, most - 1, most, 2 * most - 1, 2 * most, 2 * most + 1, 2 * most + 2,
                                                 2 * most + 3, 2 * most + 4, 2 * most + 5, 2 * most + 6}));
}

TEST_F(GpuLaunch, StartedLaunchesAreNotWaitedFor) {
  const Device d = fake::gpu();
  gpu::GpuDevice& state = gpu::gpu_of(d);
  const auto k = counter("gpu enqueued");
  auto t = k(Tensor<i32, 1>::zeros(d, {4})).sync();
  gpu::Event before(state), after(state);
  const int waits = fake::calls("cuEventSynchronize");
  before.record();
  for (int i = 0; i < 3; ++i)
    t = k(std::move(t)).start();
  after.record();
  EXPECT_EQ(fake::calls("cuEventSynchronize"), waits);
  EXPECT_EQ(after.ms_since(before), 3);
  EXPECT_MESSAGE(gpu::gpu_of(Device::cpu()), "tegula: device 'cpu' is not a GPU");
}

} // namespace
