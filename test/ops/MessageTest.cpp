// print and assert, and indices that extract and insert refuse.
#include "test/ops/ExecutorTest.h"

namespace tegula::test {

class Message : public OnExecutor {};
TEGULA_ON_EXECUTORS(Message);

namespace {

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

} // namespace

TEST_P(Message, prints_text_and_values_of_each_program) {
  const std::string text = R"(
    func.func @kernel(%out: !tile.view<out, 2xf32>) {
      %p = tile.program_index %out axis 0 : !tile.view<out, 2xf32>
      %x = tile.constant dense<1.5> : tensor<2xf32>
      tile.print "here", %p, %x : i64, tensor<2xf32>
      tile.print "nothing"
      tile.store %x, %out[%p] : tensor<2xf32>, !tile.view<out, 2xf32>
      func.return
    })";
  Tensor result(DType::f32, {4});
  Outcome outcome = run(text, {&result}, 2);
  ASSERT_EQ(outcome.prints.size(), 4u);
  expect_parts(outcome.prints[0], {"here", "0", "[1.5, 1.5]"});
  expect_parts(outcome.prints[1], {"nothing"});
  expect_parts(outcome.prints[2], {"here", "1", "[1.5, 1.5]"});
}

TEST_P(Message, prints_values_of_every_type) {
  for (DType dtype : all_dtypes) {
    KernelText kernel;
    ViewParameter out = kernel.out(dtype, {2, 2});
    Value x = kernel.constant(dtype == DType::boolean ? "true" : is_float(dtype) ? "2.0" : "3", dtype, {2, 2});
    kernel.line("tile.print \"value\", " + x.name + " : " + x.type());
    kernel.store(x, out, kernel.program_index(out));
    Tensor result(dtype, {2, 2});
    Outcome outcome = run(kernel.str(), {&result}, 1);
    ASSERT_EQ(outcome.prints.size(), 1u);
    if (dtype != DType::boolean)
      expect_parts(outcome.prints[0], {is_float(dtype) ? "[[2, 2], [2, 2]]" : "[[3, 3], [3, 3]]"});
  }
}

namespace {

/// Fails in the program whose piece holds a negative number.
const char* const asserting = R"(
    func.func @kernel(%out: !tile.view<out, 4xf32>, %in: !tile.view<in, 4xf32>) {
      %p = tile.program_index %out axis 0 : !tile.view<out, 4xf32>
      %x = tile.load %in[%p] : !tile.view<in, 4xf32> -> tensor<4xf32>
      %zero = tile.constant dense<0.0> : tensor<4xf32>
      %ok = tile.cmp ge, %x, %zero : tensor<4xf32> -> tensor<4xi1>
      tile.assert %ok, "not negative", %p, %x : i64, tensor<4xf32> : tensor<4xi1>
      tile.store %x, %out[%p] : tensor<4xf32>, !tile.view<out, 4xf32>
      func.return
    })";

Tensor ones_with(std::int64_t place, Real value) {
  Tensor result(DType::f32, {15}, std::vector<std::uint64_t>(15, encode(DType::f32, 1)));
  if (place >= 0)
    result.set({place}, encode(DType::f32, value));
  return result;
}

} // namespace

TEST_P(Message, assertion_holds) {
  Tensor source = ones_with(-1, 0), result(DType::f32, {15});
  run(asserting, {&result, &source}, 4);
  EXPECT_EQ(result.bits(), source.bits());
}

TEST_P(Message, assertion_fails_with_text_program_and_values) {
  for (std::int64_t place : {0, 6, 14}) {
    Tensor source = ones_with(place, -2), result(DType::f32, {15});
    Outcome outcome = prepare(GetParam(), asserting)->run({&result, &source}, 4);
    ASSERT_TRUE(outcome.failure);
    expect_parts(*outcome.failure, {"not negative", "program " + std::to_string(place / 4), "-2"});
  }
}

TEST_P(Message, pieces_outside_a_tile_fail_the_launch) {
  for (bool inserts : {false, true})
    for (std::int64_t index : {0, 3, 4, -1}) {
      KernelText kernel;
      ViewParameter out = kernel.out(DType::f32, {8});
      Value at = kernel.scalar(DType::i64);
      Values program = kernel.program_index(out);
      Value whole = kernel.constant("1.0", DType::f32, {8}), piece = kernel.constant("2.0", DType::f32, {2}), result = whole;
      if (inserts)
        result = kernel.emit("tile.insert " + piece.name + " into " + whole.name + "[" + at.name + "] : " + piece.type() + " -> " +
                                 whole.type(),
                             DType::f32, {8});
      else
        kernel.emit("tile.extract " + whole.name + "[" + at.name + "] : " + whole.type() + " -> " + piece.type(), DType::f32, {2});
      kernel.store(result, out, program);
      Tensor tensor(DType::f32, {8});
      Outcome outcome = prepare(GetParam(), kernel.str(), {.checks = Checks::everything})
                            ->run({&tensor, Scalar{static_cast<std::uint64_t>(index)}}, 1);
      EXPECT_EQ(outcome.failure.has_value(), index < 0 || index > 3) << (inserts ? "insert at " : "extract at ") << index;
    }
}

} // namespace tegula::test
