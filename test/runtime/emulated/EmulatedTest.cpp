// Device::gpu() from end to end on the PTX emulator, with PTX written by hand in place of compiled kernels.
#include "lib/runtime/gpu/Event.h"
#include "tegula/tegula.hpp"
#include "test/runtime/Expect.h"
#include "test/runtime/FakeCompiler.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace tegula;

constexpr const char* head = ".version 8.0\n.target sm_90a\n.address_size 64\n";

/// An entry with so many words as parameters p0, p1, ..., and one that it does not use; %r1 is the thread, %rd1 the program.
std::string entry(const std::string& name, int words, int first, const std::string& body) {
  std::string text = std::string(head) + ".visible .entry " + name + "(";
  for (int i = 0; i <= words; ++i)
    text += (i ? ", " : "") + std::string(".param .u64 p") + std::to_string(i);
  return text + ")\n{\n.reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<32>;\n" + "mov.u32 %r1, %tid.x;\n" +
         "mov.u32 %r2, %ctaid.x;\ncvt.u64.u32 %rd1, %r2;\nld.param.u64 %rd2, [p" + std::to_string(first) +
         "];\nadd.s64 %rd1, %rd1, %rd2;\n" + body + "ret;\n}\n";
}

GpuKernel compiled(const std::string& name, const std::string& ptx, int threads) {
  GpuKernel kernel;
  kernel.entry = name;
  kernel.ptx = ptx;
  kernel.target = "sm_90a";
  kernel.threads = threads;
  return kernel;
}

/// y = 2 x, 32 elements to a program. Words: y, extent, stride; x, extent, stride; first, programs, messages.
const std::string twice = entry("twice", 9, 6, R"(
  shl.b64 %rd3, %rd1, 5;
  cvt.u64.u32 %rd4, %r1;
  add.s64 %rd3, %rd3, %rd4;
  ld.param.u64 %rd5, [p1];
  setp.ge.s64 %p1, %rd3, %rd5;
  @%p1 ret;
  shl.b64 %rd3, %rd3, 2;
  ld.param.u64 %rd6, [p3];
  add.s64 %rd6, %rd6, %rd3;
  ld.global.f32 %f1, [%rd6];
  add.rn.f32 %f1, %f1, %f1;
  ld.param.u64 %rd7, [p0];
  add.s64 %rd7, %rd7, %rd3;
  st.global.f32 [%rd7], %f1;
)");

/// Reads a gibibyte behind x.
const std::string astray = entry("astray", 9, 6, R"(
  ld.param.u64 %rd6, [p3];
  ld.global.f32 %f1, [%rd6+1073741824];
  ld.param.u64 %rd7, [p0];
  st.global.f32 [%rd7], %f1;
)");

/// Each program says its number, and program 2 fails at site 1. Words: y, extent, stride; first, programs, messages.
const std::string speaks = entry("speaks", 6, 3, R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  ld.param.u64 %rd3, [p5];
  atom.global.add.u32 %r3, [%rd3], 32;
  cvt.u64.u32 %rd4, %r3;
  ld.global.u64 %rd7, [%rd3+16];
  add.s64 %rd4, %rd4, %rd7;
  setp.eq.s64 %p2, %rd1, 2;
  selp.b32 %r4, 1, 0, %p2;
  mov.b32 %r5, 32;
  st.global.u32 [%rd4], %r5;
  st.global.u32 [%rd4+4], %r4;
  st.global.u64 [%rd4+8], %rd1;
  st.global.u64 [%rd4+16], %rd1;
  @!%p2 ret;
  mov.b64 %rd8, 0xFFFFFFFFFFFDFFFE;
  st.global.u64 [%rd3+8], %rd8;
)");

auto twice_kernel(const char* name) {
  fake::define_gpu(name, compiled("twice", twice, 32));
  return kernel(name, [](Out<f32, 32> y, In<f32, 32> x) { y.store(x[y] * 2.0f); });
}

TEST(Emulated, IsTheBestDevice) {
  EXPECT_EQ(Device::gpus(), 1);
  const Device d = Device::gpu();
  EXPECT_TRUE(Device::best() == d);
  EXPECT_NE(std::string(d.name()).find("PTX emulator (sm_90a, driver "), std::string::npos) << d.name();
  EXPECT_GT(d.memory_bytes(), 0);
  EXPECT_MESSAGE(Device::gpu(1), "tegula: Device::gpu(1): this machine has one GPU, number 0");
  setenv("TEGULA_DEVICE", "cpu", 1);
  EXPECT_TRUE(Device::best() == Device::cpu());
  setenv("TEGULA_DEVICE", "gpu:0", 1);
  EXPECT_TRUE(Device::best() == d);
  for (const char* wrong : {"gpu:", "gpu:x", "tpu", "gpu:-1"}) {
    setenv("TEGULA_DEVICE", wrong, 1);
    EXPECT_MESSAGE(Device::best(), "TEGULA_DEVICE is '" + std::string(wrong) + "'; set it to cpu, gpu or gpu:N, or unset it");
  }
  unsetenv("TEGULA_DEVICE");
}

TEST(Emulated, RunsAKernel) {
  const Device d = Device::gpu();
  const auto k = twice_kernel("emulated twice");
  for (i64 n : {1, 32, 33, 1000}) {
    std::vector<f32> host(static_cast<std::size_t>(n));
    std::iota(host.begin(), host.end(), 0.5f);
    const auto x = Tensor<f32, 1>::from_host(d, {n}, host);
    const auto y = k(Tensor<f32, 1>::zeros(d, {n}), x).sync().to_host();
    for (std::size_t i = 0; i < y.size(); ++i)
      ASSERT_EQ(y[i], 2 * host[i]);
  }
}

TEST(Emulated, PrintsAndFails) {
  const Device d = Device::gpu();
  GpuKernel code = compiled("speaks", speaks, 64);
  code.sites = {{Site::Kind::print, {"a.cpp", 3, 5}, "here:", {{DType::i64, {}}}},
                {Site::Kind::assertion, {"a.cpp", 4, 5}, "program < 2", {{DType::i64, {}}}}};
  fake::define_gpu("emulated speaker", code);
  const auto k = kernel("emulated speaker", [](Out<i32, 1> y) { y.store(zeros<i32, 1>()); });
  std::vector<std::string> lines;
  set_print_sink(
      [](void* user, const char* line, std::size_t n) { static_cast<std::vector<std::string>*>(user)->emplace_back(line, n); },
      &lines);
  k(Tensor<i32, 1>::zeros(d, {2})).sync();
  EXPECT_ERROR(LaunchError, (void)k(Tensor<i32, 1>::zeros(d, {4})).sync(),
               "a.cpp:4:5: kernel 'emulated speaker', program 2: require failed: program < 2; values: 2");
  set_print_sink(nullptr);
  std::sort(lines.begin(), lines.end()); // programs run in any order
  EXPECT_EQ(lines, (std::vector<std::string>{"a.cpp:3:5: kernel 'emulated speaker', program 0: here: 0",
                                             "a.cpp:3:5: kernel 'emulated speaker', program 0: here: 0",
                                             "a.cpp:3:5: kernel 'emulated speaker', program 1: here: 1",
                                             "a.cpp:3:5: kernel 'emulated speaker', program 1: here: 1",
                                             "a.cpp:3:5: kernel 'emulated speaker', program 3: here: 3"}));
}

TEST(Emulated, StoresWhatItAssembled) {
  const Device d = Device::gpu();
  std::string name = (std::filesystem::temp_directory_path() / "tegula-cache-XXXXXX").string();
  const std::filesystem::path directory = ::mkdtemp(name.data());
  setenv("TEGULA_CACHE", "on", 1);
  setenv("TEGULA_CACHE_DIR", directory.c_str(), 1);
  const auto x = Tensor<f32, 1>::full(d, {4}, 3);
  // Hints that no other test has: the device has not compiled it.
  fake::define_gpu("emulated stored", compiled("twice", twice, 32));
  const auto k = kernel("emulated stored", [](Out<f32, 32> y, In<f32, 32> x) { y.store(x[y] * 2.0f); }, {.warps = 1});
  EXPECT_EQ(k(Tensor<f32, 1>::zeros(d, {4}), x).sync().to_host(), std::vector<f32>(4, 6));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory), {}), 1);
  setenv("TEGULA_CACHE", "off", 1);
  unsetenv("TEGULA_CACHE_DIR");
  std::filesystem::remove_all(directory);
}

TEST(Emulated, WrongPtxIsExplained) {
  const Device d = Device::gpu();
  fake::define_gpu("emulated wrong", compiled("wrong", std::string(head) + "no.such.instruction;\n", 32));
  const auto k = kernel("emulated wrong", [](Out<i32, 1> y) { y.store(zeros<i32, 1>() + 3); });
  EXPECT_ERROR(DriverError, (void)k(Tensor<i32, 1>::zeros(d, {4})).sync(), "kernel 'emulated wrong'");
}

/// The last test: the device does not survive it.
TEST(EmulatedLast, AnAccessAstrayLosesTheDevice) {
  const Device d = Device::gpu();
  const auto x = Tensor<f32, 1>::full(d, {4}, 1);
  fake::define_gpu("emulated astray", compiled("astray", astray, 32));
  const auto k = kernel("emulated astray", [](Out<f32, 32> y, In<f32, 32> x) { y.store(x[y] * 3.0f); });
  auto op = k(Tensor<f32, 1>::zeros(d, {4}), x);
  EXPECT_ERROR(DriverError, std::move(op).sync(), "tegula: kernel 'emulated astray': ");
  const auto y = std::move(op).cancel();
  EXPECT_ERROR(DriverError, y.to_host(),
               "is lost, with all of its tensors: restart the program. It began with: tegula: kernel "
               "'emulated astray'");
}

} // namespace
