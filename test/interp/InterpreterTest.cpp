// The interpreter by itself: small kernels whose results are worked out by hand. What every executor must compute is in test/ops.
#include "test/support/Execute.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tegula::test {

namespace {

Tensor floats(Shape extents, const std::vector<float>& values) {
  Bits bits;
  for (float value : values)
    bits.push_back(encode(DType::f32, value));
  return Tensor(DType::f32, std::move(extents), bits);
}

std::vector<float> to_floats(const Tensor& tensor) {
  std::vector<float> result;
  for (std::uint64_t bits : tensor.bits())
    result.push_back(static_cast<float>(decode(tensor.dtype, bits)));
  return result;
}

Outcome interpret(const std::string& text, const std::vector<Argument>& arguments, std::int64_t programs = -1) {
  return prepare(Executor::interpreter, text)->run(arguments, programs);
}

const char* const doubling = R"(
  func.func @kernel(%out: !tile.view<out, 2x2xf32>, %in: !tile.view<in, 2x2xf32>) {
    %i = tile.program_index %out axis 0 : !tile.view<out, 2x2xf32>
    %j = tile.program_index %out axis 1 : !tile.view<out, 2x2xf32>
    %x = tile.load %in[%i, %j] : !tile.view<in, 2x2xf32> -> tensor<2x2xf32>
    %y = tile.add %x, %x : tensor<2x2xf32>
    tile.store %y, %out[%i, %j] : tensor<2x2xf32>, !tile.view<out, 2x2xf32>
    func.return
  })";

} // namespace

TEST(Interpreter, runs_one_program_for_each_piece_of_the_output) {
  Tensor in = floats({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), out = floats({3, 3}, std::vector<float>(9, -1));
  EXPECT_FALSE(interpret(doubling, {&out, &in}).failure);
  EXPECT_EQ(to_floats(out), (std::vector<float>{2, 4, 6, 8, 10, 12, 14, 16, 18}));
}

TEST(Interpreter, runs_as_many_programs_as_said) {
  Tensor in = floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), out = floats({2, 4}, std::vector<float>(8, -1));
  EXPECT_FALSE(interpret(doubling, {&out, &in}, 1).failure);
  EXPECT_EQ(to_floats(out), (std::vector<float>{2, 4, -1, -1, 10, 12, -1, -1}));
}

TEST(Interpreter, pieces_that_are_read_back_count_programs_too) {
  const char* text = R"(
    func.func @kernel(%state: !tile.view<inout, 2xf32>) {
      %i = tile.program_index %state axis 0 : !tile.view<inout, 2xf32>
      %x = tile.load %state[%i] : !tile.view<inout, 2xf32> -> tensor<2xf32>
      %y = tile.add %x, %x : tensor<2xf32>
      tile.store %y, %state[%i] : tensor<2xf32>, !tile.view<inout, 2xf32>
      func.return
    })";
  Tensor state = floats({5}, {1, 2, 3, 4, 5});
  EXPECT_FALSE(interpret(text, {&state}).failure);
  EXPECT_EQ(to_floats(state), (std::vector<float>{2, 4, 6, 8, 10}));
}

TEST(Interpreter, needs_an_output_to_count_programs) {
  Outcome outcome = interpret("func.func @kernel(%n: i64) { func.return }", {Scalar{1}});
  ASSERT_TRUE(outcome.failure);
  EXPECT_NE(outcome.failure->find("how many programs"), std::string::npos);
}

TEST(Interpreter, rounds_every_step_to_the_element_type) {
  const char* text = R"(
    func.func @kernel(%out: !tile.view<out, 1xbf16>) {
      %i = tile.program_index %out axis 0 : !tile.view<out, 1xbf16>
      %one = tile.constant dense<256.0> : tensor<1xbf16>
      %small = tile.constant dense<1.0> : tensor<1xbf16>
      %a = tile.add %one, %small : tensor<1xbf16>
      %b = tile.add %a, %small : tensor<1xbf16>
      tile.store %b, %out[%i] : tensor<1xbf16>, !tile.view<out, 1xbf16>
      func.return
    })";
  Tensor out(DType::bf16, {1});
  EXPECT_FALSE(interpret(text, {&out}).failure);
  EXPECT_EQ(decode(DType::bf16, out.get({0})), 256) << "257 is half way between 256 and 258, twice";
}

TEST(Interpreter, sums_narrow_floats_in_f32) {
  const char* text = R"(
    func.func @kernel(%out: !tile.view<out, 1xbf16>) {
      %i = tile.program_index %out axis 0 : !tile.view<out, 1xbf16>
      %ones = tile.constant dense<1.0> : tensor<1024xbf16>
      %sum = tile.reduce sum %ones axis 0 : tensor<1024xbf16> -> tensor<1xbf16>
      tile.store %sum, %out[%i] : tensor<1xbf16>, !tile.view<out, 1xbf16>
      func.return
    })";
  Tensor out(DType::bf16, {1});
  EXPECT_FALSE(interpret(text, {&out}).failure);
  EXPECT_EQ(decode(DType::bf16, out.get({0})), 1024);
}

TEST(Interpreter, tells_where_an_assertion_failed_and_stops) {
  const char* text = R"(func.func @kernel(%out: !tile.view<out, 1xi64>) {
    %i = tile.program_index %out axis 0 : !tile.view<out, 1xi64>
    tile.print "program", %i : i64
    %one = tile.constant 1 : i64
    %ok = tile.cmp lt, %i, %one : i64 -> i1
    tile.assert %ok, "i < 1", %i : i64 : i1
    %t = tile.broadcast %i : i64 -> tensor<1xi64>
    tile.store %t, %out[%i] : tensor<1xi64>, !tile.view<out, 1xi64>
    func.return
  })";
  Tensor out(DType::i64, {3}, Bits{7, 7, 7});
  Outcome outcome = interpret(text, {&out});
  EXPECT_EQ(outcome.prints, (std::vector<std::string>{"program 0", "program 1"}));
  EXPECT_EQ(outcome.failure, "kernel.mlir:6:5: assertion failed: i < 1 1 (program 1)");
  EXPECT_EQ(out.bits(), (Bits{0, 7, 7}));
}

TEST(Interpreter, prints_tiles_in_nested_brackets) {
  const char* text = R"(
    func.func @kernel(%out: !tile.view<out, 2x2xi8>) {
      %i = tile.program_index %out axis 0 : !tile.view<out, 2x2xi8>
      %x = tile.iota axis 1 : tensor<2x2xi8>
      %y = tile.neg %x : tensor<2x2xi8>
      %z = tile.constant 0.5 : f16
      tile.print "seen", %y, %z : tensor<2x2xi8>, f16
      tile.store %x, %out[%i, %i] : tensor<2x2xi8>, !tile.view<out, 2x2xi8>
      func.return
    })";
  Tensor out(DType::i8, {2, 2});
  EXPECT_EQ(interpret(text, {&out}).prints, std::vector<std::string>{"seen [[0, -1], [0, -1]] 0.5"});
}

TEST(Interpreter, refuses_a_step_that_leads_nowhere) {
  const char* text = R"(
    func.func @kernel(%out: !tile.view<out, 1xi64>, %step: i64) {
      %zero = tile.constant 0 : i64
      %ten = tile.constant 10 : i64
      scf.for %i = %zero to %ten step %step : i64 {
      }
      func.return
    })";
  Tensor out(DType::i64, {1});
  Outcome outcome = interpret(text, {&out, Scalar{0}});
  ASSERT_TRUE(outcome.failure);
  EXPECT_NE(outcome.failure->find("step"), std::string::npos);
}

TEST(Interpreter, refuses_text_that_is_no_kernel) {
  EXPECT_THROW(prepare(Executor::interpreter, "func.func @kernel() {"), std::runtime_error);
  EXPECT_THROW(prepare(Executor::interpreter, "module {}"), std::runtime_error);
}

} // namespace tegula::test
