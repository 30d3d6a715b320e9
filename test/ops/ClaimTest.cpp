// Claims that are checked, checks that the compiler put in, and what only the host looks at.
#include "test/ops/ExecutorTest.h"

namespace tegula::test {

class Claim : public OnExecutor {};
TEGULA_ON_EXECUTORS(Claim);

namespace {

/// Program p claims and stores tile (p·factor + first, column) of a view.
std::string claiming(const char* kind, const char* attributes, std::int64_t factor, std::int64_t first) {
  KernelText kernel;
  ViewParameter out = kernel.view(kind, DType::i32, {4, 8});
  Value column = kernel.scalar(DType::i64), program = kernel.emit("tile.program_id : i64", DType::i64);
  Value row = kernel.same("add", {kernel.same("mul", {program, kernel.integer(factor)}), kernel.integer(first)});
  kernel.line("tile.claim " + out.name + "[" + row.name + ", " + column.name + "] " + attributes + " : " + out.type());
  kernel.store(kernel.integer(3, DType::i32, {4, 8}), out, {row, column});
  return kernel.str();
}

} // namespace

TEST_P(Claim, two_programs_that_write_one_tile_fail_the_launch) {
  for (const char* kind : {"outs", "patch"}) {
    Tensor tensor(DType::i32, {11, 13});
    Outcome outcome = prepare(GetParam(), claiming(kind, "{check}", 0, 1))->run({&tensor, Scalar{1}}, 3);
    ASSERT_TRUE(outcome.failure);
    EXPECT_NE(outcome.failure->find("programs 0 and 1 both write element (4, 8) of parameter 1"), std::string::npos)
        << *outcome.failure;
  }
}

TEST_P(Claim, disjoint_tiles_and_tiles_outside_do_not) {
  for (std::int64_t column : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{1} << 62})
    for (auto [factor, first] : {std::pair<std::int64_t, std::int64_t>{1, 0}, {-1, 2}, {0, 3}, {std::int64_t{1} << 62, -1}}) {
      Tensor tensor(DType::i32, {11, 13});
      run(claiming("outs", "{check}", factor, first), {&tensor, Scalar{static_cast<std::uint64_t>(column)}}, 3);
    }
}

TEST_P(Claim, without_a_check_nothing_is_compared) {
  Tensor tensor(DType::i32, {11, 13});
  run(claiming("outs", "", 0, 1), {&tensor, Scalar{1}}, 3);
  run(claiming("outs", "{unsafe = \"all write the same\"}", 0, 1), {&tensor, Scalar{1}}, 3);
  EXPECT_EQ(tensor.get({4, 8}), 3u);
}

TEST_P(Claim, a_store_that_is_known_to_be_inside_still_ends_with_the_tensor) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::i32, {4, 8}), in = kernel.in(DType::i32, {4, 8});
  Values piece = kernel.program_index(out);
  Value x =
      kernel.emit("tile.load " + in.name + "[" + names(piece) + "] {inside} : " + in.type() + " -> " + spell(DType::i32, {4, 8}),
                  DType::i32, {4, 8});
  kernel.line("tile.store " + x.name + ", " + out.name + "[" + names(piece) + "] {inside} : " + x.type() + ", " + out.type());
  for (const Shape& extents : {Shape{8, 8}, Shape{11, 13}, Shape{1, 1}, Shape{0, 8}}) {
    Tensor source(DType::i32, extents), result(DType::i32, extents);
    Random random(1);
    source.fill(random_bits(DType::i32, random, size_of(extents)));
    run(kernel.str(), {&result, &source}, tile_count(result, {4, 8}));
    EXPECT_EQ(result.bits(), source.bits());
  }
}

TEST_P(Claim, what_the_host_expects_has_no_effect_here) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::i32, {4});
  Value condition = kernel.constant("false", DType::boolean);
  kernel.line("tile.expect " + condition.name + ", \"never\"");
  kernel.store(kernel.integer(3, DType::i32, {4}), out, kernel.program_index(out));
  Tensor result(DType::i32, {4});
  run(kernel.str(), {&result}, 1);
  EXPECT_EQ(result.get({3}), 3u);
}

/// Nobody wrote `require`: the messages do not say so.
TEST_P(Claim, checks_of_the_compiler_speak_for_themselves) {
  const char* const texts[] = {
      "%ok = tile.cmp lt, %n, %zero : i64 -> i1\n tile.assert %ok, \"tile 7 of parameter 1 is outside\", %n : i64 {bounds} : i1",
      "%x = tile.constant dense<1> : tensor<8xi64>\n %y = tile.extract %x[%n] : tensor<8xi64> -> tensor<2xi64>",
      "%step = tile.sub %n, %seven : i64\n scf.for %i = %zero to %n step %step : i64 {\n tile.print \"i\", %i : i64\n }"};
  for (const char* text : texts) {
    const std::string kernel = std::string("func.func @kernel(%out: !tile.view<out, 1xi64>, %n: i64) {\n") +
                               "%zero = tile.constant 0 : i64\n %seven = tile.constant 7 : i64\n" + text + "\nfunc.return\n}";
    Tensor result(DType::i64, {1});
    Outcome outcome = prepare(GetParam(), kernel, {.checks = Checks::everything})->run({&result, Scalar{7}}, 1);
    ASSERT_TRUE(outcome.failure) << kernel;
    for (const char* word : {"require", "assertion"})
      EXPECT_EQ(outcome.failure->find(word), std::string::npos) << *outcome.failure;
    EXPECT_NE(outcome.failure->find("program 0"), std::string::npos) << *outcome.failure;
  }
}

} // namespace tegula::test
