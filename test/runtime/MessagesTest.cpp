// What kernels print, and how a failed assertion ends a launch.
#include "lib/runtime/Messages.h"
#include "Expect.h"
#include "FakeCompiler.h"
#include "tegula/tegula.hpp"

#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace tegula;

auto writer(const char* name) {
  return kernel(name, [](Out<i32, 1> y) { y.store(zeros<i32, 1>()); });
}

const std::vector<Site> sites{{Site::Kind::print, {"a.cpp", 3, 5}, "x =", {{DType::f32, {}}, {DType::i32, {2, 2}}}},
                              {Site::Kind::assertion, {"a.cpp", 7, 9}, "n > 0", {{DType::i64, {}}}},
                              {Site::Kind::assertion, {"a.cpp", 8, 1}, "ok", {}}};

TEST(Messages, PrintWritesOneLinePerCall) {
  const Device d = Device::cpu();
  fake::define(
      "prints",
      [](const std::int64_t*, std::int64_t program, std::int64_t, void* context, void*) {
        const float x = 1.5f;
        const i32 tile[] = {1, 2, 3, 4};
        const void* values[] = {&x, tile};
        tegula_cpu_print(context, 0, program, values);
      },
      sites);
  std::vector<std::string> lines;
  set_print_sink(
      [](void* user, const char* line, std::size_t n) { static_cast<std::vector<std::string>*>(user)->emplace_back(line, n); },
      &lines);
  writer("prints")(Tensor<i32, 1>::zeros(d, {1}).partition<1>()).sync();
  set_print_sink(nullptr);
  EXPECT_EQ(lines, std::vector<std::string>{"a.cpp:3:5: kernel 'prints', program 0: x = 1.5, i32 2×2 [[1, 2], [3, 4]]"});
  testing::internal::CaptureStdout();
  writer("prints")(Tensor<i32, 1>::zeros(d, {1}).partition<1>()).sync();
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), lines[0] + "\n");
}

TEST(Messages, AFailedAssertionEndsTheLaunch) {
  const Device d = Device::cpu(1);
  static std::atomic<i64> last;
  fake::define(
      "asserts",
      [](const std::int64_t*, std::int64_t program, std::int64_t, void* context, void*) {
        last = program;
        if (program < 17)
          return;
        const i64 n = -program;
        const void* values[] = {&n};
        tegula_cpu_assert_failed(context, 1, program, values);
      },
      sites);
  auto op = writer("asserts")(Tensor<i32, 1>::zeros(d, {1000}).partition<1>());
  EXPECT_ERROR(LaunchError, std::move(op).sync(), "a.cpp:7:9: kernel 'asserts', program 17: require failed: n > 0; values: -17");
  EXPECT_EQ(last, 17) << "the others are skipped";
  EXPECT_EQ(std::move(op).cancel().size(), 1000);
}

TEST(Messages, TheLowestProgramThatFailedIsKept) {
  runtime::LaunchMessages messages("k", sites);
  EXPECT_NO_THROW(messages.throw_if_failed());
  for (i64 program : {9, 4, 6})
    messages.fail(2, program, nullptr);
  EXPECT_ERROR(LaunchError, messages.throw_if_failed(), "a.cpp:8:1: kernel 'k', program 4: require failed: ok");
}

TEST(Messages, ValuesReadLikeNumPy) {
  using runtime::value_text;
  const double d = -0.1;
  EXPECT_EQ(value_text({DType::f64, {}}, &d), "-0.1");
  const float specials[] = {NAN, -INFINITY, 1e-20f, 16777216.0f};
  EXPECT_EQ(value_text({DType::f32, {4}}, specials), "f32 4 [nan, -inf, 1e-20, 16777216]");
  const bf16 narrow[] = {bf16(0.1f), bf16(3.0f)};
  EXPECT_EQ(value_text({DType::bf16, {2, 1}}, narrow), "bf16 2×1 [[0.1001], [3]]");
  const bool truth[] = {true, false};
  EXPECT_EQ(value_text({DType::boolean, {2}}, truth), "bool 2 [true, false]");
  const i8 bytes[] = {-1, 127};
  EXPECT_EQ(value_text({DType::i8, {2}}, bytes), "i8 2 [-1, 127]");
  std::vector<u16> many(256);
  std::iota(many.begin(), many.end(), u16{0});
  EXPECT_EQ(value_text({DType::u16, {256}}, many.data()), "u16 256 [0, 1, 2, ..., 253, 254, 255]");
  EXPECT_EQ(value_text({DType::u16, {2, 128}}, many.data()),
            "u16 2×128 [[0, 1, 2, ..., 125, 126, 127], [128, 129, 130, ..., 253, 254, 255]]");
}

} // namespace
