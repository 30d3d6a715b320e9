// What kernels print, and how a failed assertion ends a launch.
#include "lib/runtime/Messages.h"
#include "Expect.h"
#include "FakeCompiler.h"
#include "tegula/tegula.hpp"

#include <algorithm>
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
  writer("prints")(Tensor<i32, 1>::zeros(d, {1})).sync();
  set_print_sink(nullptr);
  EXPECT_EQ(lines, std::vector<std::string>{"a.cpp:3:5: kernel 'prints', program 0: x = 1.5, i32 2×2 [[1, 2], [3, 4]]"});
  testing::internal::CaptureStdout();
  writer("prints")(Tensor<i32, 1>::zeros(d, {1})).sync();
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
  auto op = writer("asserts")(Tensor<i32, 1>::zeros(d, {1000}));
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

TEST(Messages, AChecksTextSaysAll) {
  const std::vector<Site> checks{{Site::Kind::check, {"a.cpp", 4, 2}, "tile 7 lies outside", {{DType::i64, {}}}}};
  runtime::LaunchMessages messages("k", checks);
  const i64 index = 7;
  const void* values[] = {&index};
  messages.fail(0, 3, values);
  EXPECT_ERROR(LaunchError, messages.throw_if_failed(), "a.cpp:4:2: kernel 'k', program 3: tile 7 lies outside; values: 7");
}

std::vector<runtime::Claims> one_table(std::vector<std::int64_t> extents) {
  std::vector<runtime::Claims> claims;
  claims.emplace_back(1, std::move(extents));
  return claims;
}

const std::vector<Site> claiming{{Site::Kind::claim, {"a.cpp", 6, 3}, "", {}}};

TEST(Messages, TwoProgramsThatWriteOneElementAreNamed) {
  runtime::LaunchMessages messages("k", claiming, one_table({3, 5}));
  const std::int64_t left[] = {0, 0, 3, 4}, right[] = {2, 3, 8, 2};
  tegula_cpu_claim(&messages, 0, 9, 1, left);
  tegula_cpu_claim(&messages, 0, 9, 1, left);
  tegula_cpu_claim(&messages, 0, 4, 0, left); // a parameter without a table
  EXPECT_NO_THROW(messages.throw_if_failed());
  tegula_cpu_claim(&messages, 0, 4, 1, right);
  messages.check_covered(1); // of a launch that failed, nothing is expected
  EXPECT_ERROR(LaunchError, messages.throw_if_failed(),
               "a.cpp:6:3: kernel 'k': programs 4 and 9 both write element (2, 3) of parameter 2");
}

/// Whoever comes first: the lowest program that writes what a lower one writes, and the lowest of the elements.
TEST(Messages, WhichTwoProgramsAreToldDoesNotDependOnTheirOrder) {
  const std::vector<Site> sites{{Site::Kind::claim, {"a.cpp", 6, 3}, "", {}}, {Site::Kind::claim, {"a.cpp", 7, 3}, "", {}}};
  struct Claim {
    int site, program;
    std::int64_t box[2];
  };
  // Programs 2, 5 and 8 meet at element 4, and 5 and 8 at element 1; 2 and 5 meet at element 6, too.
  std::vector<std::vector<Claim>> programs{{{0, 2, {4, 4}}}, {{0, 5, {0, 2}}, {1, 5, {3, 4}}}, {{1, 8, {1, 4}}, {0, 8, {0, 9}}}};
  std::vector<int> order{0, 1, 2};
  do {
    runtime::LaunchMessages messages("k", sites, one_table({9}));
    for (const int i : order)
      for (const Claim& claim : programs[static_cast<std::size_t>(i)])
        messages.claim(claim.site, claim.program, 1, claim.box);
    EXPECT_ERROR(LaunchError, messages.throw_if_failed(),
                 "a.cpp:7:3: kernel 'k': programs 2 and 5 both write element (4) of parameter 2");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Messages, AProgramsOwnFailureIsToldBeforeAConflict) {
  for (const bool first : {false, true}) {
    const std::vector<Site> sites{{Site::Kind::claim, {"a.cpp", 6, 3}, "", {}}, {Site::Kind::assertion, {"a.cpp", 9, 3}, "x", {}}};
    runtime::LaunchMessages messages("k", sites, one_table({9}));
    const std::int64_t box[] = {0, 9};
    if (first)
      messages.fail(1, 3, nullptr);
    messages.claim(0, 3, 1, box);
    messages.claim(0, 1, 1, box);
    if (!first)
      messages.fail(1, 3, nullptr);
    EXPECT_ERROR(LaunchError, messages.throw_if_failed(), "a.cpp:9:3: kernel 'k', program 3: require failed: x");
  }
}

TEST(Messages, AnElementThatNobodyWritesIsNamed) {
  runtime::LaunchMessages messages("k", claiming, one_table({3, 5}));
  const std::int64_t most[] = {0, 0, 3, 4}, rest[] = {0, 4, 2, 1}, last[] = {2, 4, 1, 1};
  for (const std::int64_t* box : {most, rest})
    messages.claim(0, 0, 1, box);
  messages.check_covered(0);
  EXPECT_NO_THROW(messages.throw_if_failed());
  messages.check_covered(1);
  EXPECT_ERROR(LaunchError, messages.throw_if_failed(), "kernel 'k': no program writes element (2, 4) of parameter 2");
  runtime::LaunchMessages whole("k", claiming, one_table({3, 5}));
  for (const std::int64_t* box : {most, rest, last})
    whole.claim(0, 0, 1, box);
  whole.check_covered(1);
  EXPECT_NO_THROW(whole.throw_if_failed());
}

TEST(Messages, MoreProgramsThanATableCanTellApartAreRefused) {
  runtime::LaunchMessages messages("k", claiming, one_table({2}));
  const std::int64_t box[] = {0, 1};
  messages.claim(0, (std::int64_t{1} << 32) + 5, 1, box);
  EXPECT_ERROR(LaunchError, messages.throw_if_failed(),
               "a.cpp:6:3: kernel 'k': what more than 4294967295 programs write cannot be checked: launch fewer");
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
