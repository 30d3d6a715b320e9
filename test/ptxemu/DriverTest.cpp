// The CUDA driver's functions, through the shared library, as the run time calls them.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "test/ptxemu/DriverHarness.h"

namespace ptxemu {
namespace {

// Thread t of block b writes b·32 + t + the input's first word.
const std::string count = "ld.global.b32 %r2, [%rd0]; mov.u32 %r1, %ctaid.x; mad.lo.s32 %r1, %r1, 32, %r0; mul.wide.u32 %rd2, %r1, "
                          "4; add.s64 %rd3, %rd1, "
                          "%rd2; add.s32 %r2, %r2, %r1; st.global.b32 [%rd3], %r2;";

TEST_F(Driver, Device) {
  int number = 0, value = 0;
  EXPECT_EQ(call("cuDeviceGetCount", &number), 0);
  EXPECT_EQ(number, 1);
  EXPECT_EQ(call("cuDeviceGet", &number, 1), 101);
  char name[64];
  EXPECT_EQ(call("cuDeviceGetName", static_cast<char*>(name), 64, 0), 0);
  EXPECT_STREQ(name, "PTX emulator");
  EXPECT_EQ(call("cuDeviceGetAttribute", &value, 75, 0), 0);
  EXPECT_EQ(value, 9);
  EXPECT_EQ(call("cuDeviceGetAttribute", &value, 16, 0), 0);
  EXPECT_EQ(value, 4);
  const char* text = nullptr;
  EXPECT_EQ(call("cuGetErrorName", 2, &text), 0);
  EXPECT_STREQ(text, "CUDA_ERROR_OUT_OF_MEMORY");
}

TEST_F(Driver, MemoryHasExactBounds) {
  std::uint64_t a = allocate(10), b = allocate(10);
  EXPECT_EQ(call("cuMemcpyHtoD_v2", a, static_cast<const void*>("0123456789"), std::size_t(10)), 0);
  EXPECT_EQ(call("cuMemcpyHtoD_v2", a, static_cast<const void*>("0123456789a"), std::size_t(11)), 1);
  EXPECT_EQ(call("cuMemcpyDtoDAsync_v2", b, a, std::size_t(10), static_cast<void*>(nullptr)), 0);
  EXPECT_EQ(call("cuMemsetD16Async", b + 2, static_cast<unsigned short>(0x4241), std::size_t(2), static_cast<void*>(nullptr)), 0);
  char back[11] = {};
  EXPECT_EQ(call("cuMemcpyDtoH_v2", static_cast<void*>(back), b, std::size_t(10)), 0);
  EXPECT_STREQ(back, "01ABAB6789");
  EXPECT_EQ(call("cuMemFree_v2", a), 0);
  EXPECT_EQ(call("cuMemFree_v2", a), 1);
  std::uint64_t much = 0;
  EXPECT_EQ(call("cuMemAlloc_v2", &much, std::size_t(1) << 40), 2);
}

TEST_F(Driver, LaunchesAndGraphs) {
  std::uint64_t in = allocate(4), out = allocate(256);
  std::uint32_t start = 100;
  EXPECT_EQ(call("cuMemcpyHtoD_v2", in, static_cast<const void*>(&start), std::size_t(4)), 0);
  void* values[] = {&in, &out};
  void* function = function_of(kernel(count));
  EXPECT_EQ(launch(function, 2, 32, values), 0);
  std::uint32_t back[64];
  EXPECT_EQ(call("cuMemcpyDtoH_v2", static_cast<void*>(back), out, sizeof back), 0);
  EXPECT_EQ(back[63], 163U);

  // A captured launch runs when the graph does.
  void *stream = nullptr, *graph = nullptr, *executable = nullptr;
  EXPECT_EQ(call("cuStreamCreate", &stream, 0U), 0);
  EXPECT_EQ(call("cuMemsetD32Async", out, 0U, std::size_t(64), stream), 0);
  EXPECT_EQ(call("cuStreamBeginCapture_v2", stream, 0), 0);
  EXPECT_EQ(launch(function, 2, 32, values, 0, stream), 0);
  EXPECT_EQ(call("cuStreamEndCapture", stream, &graph), 0);
  EXPECT_EQ(call("cuMemcpyDtoH_v2", static_cast<void*>(back), out, sizeof back), 0);
  EXPECT_EQ(back[63], 0U);
  EXPECT_EQ(call("cuGraphInstantiateWithFlags", &executable, graph, 0ULL), 0);
  EXPECT_EQ(call("cuGraphLaunch", executable, stream), 0);
  EXPECT_EQ(call("cuMemcpyDtoH_v2", static_cast<void*>(back), out, sizeof back), 0);
  EXPECT_EQ(back[63], 163U);
  call("cuGraphExecDestroy", executable);
  call("cuGraphDestroy", graph);
  call("cuStreamDestroy_v2", stream);
}

TEST_F(Driver, AFailureLosesTheDevice) {
  std::uint64_t in = allocate(4), out = allocate(256);
  EXPECT_EQ(call("cuMemsetD8Async", in, static_cast<unsigned char>(0), std::size_t(4), static_cast<void*>(nullptr)), 0);
  void* values[] = {&in, &out};
  void* function = function_of(kernel(count));
  EXPECT_EQ(launch(function, 3, 32, values), 0); // the next call tells
  EXPECT_EQ(call("cuStreamSynchronize", static_cast<void*>(nullptr)), 700);
  EXPECT_NE(error_text(700).find("right after the end of the allocation of 256 bytes"), std::string::npos) << error_text(700);
  EXPECT_EQ(launch(function, 1, 32, values), 700);
  EXPECT_EQ(call("cuDevicePrimaryCtxRelease_v2", 0), 0);
  EXPECT_EQ(launch(function, 1, 32, values), 0);
  EXPECT_EQ(call("cuStreamSynchronize", static_cast<void*>(nullptr)), 0);
  EXPECT_EQ(error_text(700), "an illegal memory access was encountered");
}

TEST_F(Driver, SharedMemoryMustBeAskedFor) {
  std::uint64_t in = allocate(4), out = allocate(4);
  void* values[] = {&in, &out};
  void* function = function_of(kernel(""));
  EXPECT_EQ(launch(function, 1, 32, values, 100000), 1);
  EXPECT_EQ(call("cuFuncSetAttribute", function, 8, 100000), 0);
  EXPECT_EQ(launch(function, 1, 32, values, 100000), 0);
  EXPECT_EQ(call("cuFuncSetAttribute", function, 8, 300000), 1);
  EXPECT_EQ(launch(function, 1, 2000, values), 1);
}

TEST_F(Driver, BadTexts) {
  std::string text = kernel("surprise %r1;");
  char log[256] = {};
  int names[] = {5, 6};
  void* sizes[] = {log, reinterpret_cast<void*>(sizeof log)};
  void* module = nullptr;
  EXPECT_EQ(call("cuModuleLoadDataEx", &module, static_cast<const void*>(text.c_str()), 2U, static_cast<int*>(names),
                 static_cast<void**>(sizes)),
            218);
  EXPECT_STREQ(log, "line 8: unknown instruction: surprise %r1");
  std::string later = kernel("");
  later.replace(later.find("sm_90a"), 6, "sm_100");
  EXPECT_EQ(call("cuModuleLoadDataEx", &module, static_cast<const void*>(later.c_str()), 2U, static_cast<int*>(names),
                 static_cast<void**>(sizes)),
            209);
  void *function = nullptr, *good = nullptr;
  EXPECT_EQ(call("cuModuleLoadDataEx", &good, static_cast<const void*>(kernel("").c_str()), 0U, static_cast<int*>(nullptr),
                 static_cast<void**>(nullptr)),
            0);
  EXPECT_EQ(call("cuModuleGetFunction", &function, good, "other"), 500);
  EXPECT_EQ(call("cuModuleUnload", good), 0);
}

TEST_F(Driver, TheLinkerHandsPtxThrough) {
  std::string text = kernel(count);
  void *link = nullptr, *image = nullptr, *module = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(call("cuLinkCreate_v2", 0U, static_cast<int*>(nullptr), static_cast<void**>(nullptr), &link), 0);
  EXPECT_EQ(call("cuLinkAddData_v2", link, 1, static_cast<void*>(text.data()), text.size() + 1, "name", 0U,
                 static_cast<int*>(nullptr), static_cast<void**>(nullptr)),
            0);
  EXPECT_EQ(call("cuLinkComplete", link, &image, &size), 0);
  EXPECT_EQ(call("cuModuleLoadDataEx", &module, static_cast<const void*>(image), 0U, static_cast<int*>(nullptr),
                 static_cast<void**>(nullptr)),
            0);
  EXPECT_EQ(call("cuLinkDestroy", link), 0);
  modules_.push_back(module);
}

TEST_F(Driver, KeepsEachTextOnceIfAFolderIsNamed) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("recorded." + std::to_string(getpid()));
  setenv("TEGULA_PTXEMU_RECORD", folder.c_str(), 1);
  const std::string text = kernel(""), other = kernel("add.s32 %r1, %r0, 1;");
  std::uint64_t in = allocate(4), out = allocate(4);
  void* values[] = {&in, &out};
  for (const std::string& one : {text, text, other})
    EXPECT_EQ(launch(function_of(one), 1, 32, values, 512), 0);
  std::multiset<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ostringstream content;
    content << file.path().extension().string() << " " << std::ifstream(file.path()).rdbuf();
    found.insert(content.str());
  }
  EXPECT_EQ(found, (std::multiset<std::string>{".ptx " + text, ".ptx " + other, ".shared 512", ".shared 512"}));
  std::filesystem::remove_all(folder);

  std::ofstream(folder) << "not a folder";
  void* module = nullptr;
  EXPECT_EQ(call("cuModuleLoadDataEx", &module, static_cast<const void*>(text.c_str()), 0U, static_cast<int*>(nullptr),
                 static_cast<void**>(nullptr)),
            200);
  unsetenv("TEGULA_PTXEMU_RECORD");
  std::filesystem::remove(folder);
}

TEST_F(Driver, Events) {
  void *first = nullptr, *second = nullptr;
  float milliseconds = -1;
  EXPECT_EQ(call("cuEventCreate", &first, 0U), 0);
  EXPECT_EQ(call("cuEventCreate", &second, 0U), 0);
  EXPECT_EQ(call("cuEventElapsedTime_v2", &milliseconds, first, second), 400);
  EXPECT_EQ(call("cuEventRecord", first, static_cast<void*>(nullptr)), 0);
  EXPECT_EQ(call("cuEventRecord", second, static_cast<void*>(nullptr)), 0);
  EXPECT_EQ(call("cuEventElapsedTime_v2", &milliseconds, first, second), 0);
  EXPECT_GE(milliseconds, 0);
  call("cuEventDestroy_v2", first);
  call("cuEventDestroy_v2", second);
}

} // namespace
} // namespace ptxemu
