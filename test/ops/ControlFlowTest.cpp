// Loops and conditions that carry tiles and scalars.
#include "test/ops/ExecutorTest.h"

#include <limits>

namespace tegula::test {

class ControlFlow : public OnExecutor {};
TEGULA_ON_EXECUTORS(ControlFlow);

TEST_P(ControlFlow, loops_carry_tiles_and_scalars) {
  const std::string text = R"(
    func.func @kernel(%out: !tile.view<out, 4xi64>, %lo: i64, %hi: i64, %step: i64) {
      %p = tile.program_index %out axis 0 : !tile.view<out, 4xi64>
      %zeros = tile.constant dense<0> : tensor<4xi64>
      %zero = tile.constant 0 : i64
      %one = tile.constant 1 : i64
      %sum, %count = scf.for %i = %lo to %hi step %step iter_args(%s = %zeros, %c = %zero) -> (tensor<4xi64>, i64) : i64 {
        %b = tile.broadcast %i : i64 -> tensor<4xi64>
        %s2 = tile.add %s, %b : tensor<4xi64>
        %c2 = tile.add %c, %one : i64
        scf.yield %s2, %c2 : tensor<4xi64>, i64
      }
      %k = tile.constant 1000 : i64
      %m = tile.mul %count, %k : i64
      %t = tile.broadcast %m : i64 -> tensor<4xi64>
      %r = tile.add %sum, %t : tensor<4xi64>
      tile.store %r, %out[%p] : tensor<4xi64>, !tile.view<out, 4xi64>
      func.return
    })";
  struct Case {
    std::int64_t low, high, step;
  };
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  for (auto [low, high, step] :
       {Case{0, 10, 1}, Case{0, 10, 3}, Case{-5, 6, 2}, Case{3, 3, 1}, Case{5, 2, 1}, Case{0, last, std::int64_t{1} << 62},
        Case{-last - 1, last, std::int64_t{1} << 61}, Case{last - 2, last, 1}, Case{last - 2, last, 3}, Case{last, last, last}}) {
    std::uint64_t expected = 0; // wraps like the kernel's sum
    for (Whole i = low; i < high; i += step)
      expected += static_cast<std::uint64_t>(i) + 1000;
    Tensor result(DType::i64, {6});
    run(text,
        {&result, Scalar{static_cast<std::uint64_t>(low)}, Scalar{static_cast<std::uint64_t>(high)},
         Scalar{static_cast<std::uint64_t>(step)}},
        2);
    EXPECT_EQ(to_integers(result), std::vector<std::int64_t>(6, static_cast<std::int64_t>(expected)))
        << low << " to " << high << " by " << step;
  }
}

TEST_P(ControlFlow, a_constant_loop_that_ends_at_the_end_of_the_range) {
  const std::string text = R"(
    func.func @kernel(%out: !tile.view<out, 1xi64>) {
      %p = tile.program_index %out axis 0 : !tile.view<out, 1xi64>
      %zero = tile.constant 0 : i64
      %one = tile.constant 1 : i64
      %end = tile.constant 9223372036854775807 : i64
      %step = tile.constant 4611686018427387904 : i64
      %count = scf.for %i = %zero to %end step %step iter_args(%c = %zero) -> (i64) : i64 {
        %c2 = tile.add %c, %one : i64
        scf.yield %c2 : i64
      }
      %t = tile.broadcast %count : i64 -> tensor<1xi64>
      tile.store %t, %out[%p] : tensor<1xi64>, !tile.view<out, 1xi64>
      func.return
    })";
  Tensor result(DType::i64, {1});
  run(text, {&result}, 1);
  EXPECT_EQ(to_integers(result), std::vector<std::int64_t>{2});
}

TEST_P(ControlFlow, carried_values_may_change_places) {
  const std::string text = R"(
    func.func @kernel(%out: !tile.view<out, 2xi64>, %in: !tile.view<in, 2xi64>, %n: i64) {
      %zero = tile.constant 0 : i64
      %one = tile.constant 1 : i64
      %a = tile.load %in[%zero] : !tile.view<in, 2xi64> -> tensor<2xi64>
      %b = tile.load %in[%one] : !tile.view<in, 2xi64> -> tensor<2xi64>
      %x, %y = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (tensor<2xi64>, tensor<2xi64>) : i64 {
        scf.yield %v, %u : tensor<2xi64>, tensor<2xi64>
      }
      tile.store %x, %out[%zero] : tensor<2xi64>, !tile.view<out, 2xi64>
      tile.store %y, %out[%one] : tensor<2xi64>, !tile.view<out, 2xi64>
      func.return
    })";
  for (std::uint64_t n : {0, 1, 2, 5}) {
    Tensor source = integers({4}, {1, 2, 3, 4}), result(DType::i64, {4});
    run(text, {&result, &source, Scalar{n}}, 1);
    EXPECT_EQ(to_integers(result), n % 2 ? (std::vector<std::int64_t>{3, 4, 1, 2}) : (std::vector<std::int64_t>{1, 2, 3, 4}));
  }
}

TEST_P(ControlFlow, while_loops) {
  const std::string text = R"(
    func.func @kernel(%out: !tile.view<out, 1xi64>, %n: i64) {
      %p = tile.program_index %out axis 0 : !tile.view<out, 1xi64>
      %zero = tile.constant 0 : i64
      %one = tile.constant 1 : i64
      %two = tile.constant 2 : i64
      %three = tile.constant 3 : i64
      %x, %steps = scf.while (%a = %n, %c = %zero) : (i64, i64) -> (i64, i64) {
        %go = tile.cmp gt, %a, %one : i64 -> i1
        scf.condition(%go) %a, %c : i64, i64
      } do {
      ^bb0(%a: i64, %c: i64):
        %r = tile.rem %a, %two : i64
        %odd = tile.cmp eq, %r, %one : i64 -> i1
        %next = scf.if %odd -> (i64) {
          %t = tile.mul %a, %three : i64
          %u = tile.add %t, %one : i64
          scf.yield %u : i64
        } else {
          %h = tile.div %a, %two : i64
          scf.yield %h : i64
        }
        %c2 = tile.add %c, %one : i64
        scf.yield %next, %c2 : i64, i64
      }
      %t = tile.broadcast %steps : i64 -> tensor<1xi64>
      tile.store %t, %out[%p] : tensor<1xi64>, !tile.view<out, 1xi64>
      func.return
    })";
  for (auto [n, steps] : {std::pair<std::uint64_t, std::int64_t>{1, 0}, {2, 1}, {3, 7}, {27, 111}}) {
    Tensor result(DType::i64, {1});
    run(text, {&result, Scalar{n}}, 1);
    EXPECT_EQ(to_integers(result), std::vector<std::int64_t>{steps}) << n;
  }
}

TEST_P(ControlFlow, conditions_choose_tiles_and_effects) {
  const std::string text = R"(
    func.func @kernel(%out: !tile.view<out, 4xf32>, %in: !tile.view<in, 4xf32>) {
      %p = tile.program_index %out axis 0 : !tile.view<out, 4xf32>
      %x = tile.load %in[%p] : !tile.view<in, 4xf32> -> tensor<4xf32>
      %two = tile.constant 2 : i64
      %one = tile.constant 1 : i64
      %r = tile.rem %p, %two : i64
      %odd = tile.cmp eq, %r, %one : i64 -> i1
      %y = scf.if %odd -> (tensor<4xf32>) {
        %n = tile.neg %x : tensor<4xf32>
        scf.yield %n : tensor<4xf32>
      } else {
        scf.yield %x : tensor<4xf32>
      }
      %first = tile.cmp lt, %p, %two : i64 -> i1
      scf.if %first {
        tile.store %y, %out[%p] : tensor<4xf32>, !tile.view<out, 4xf32>
      }
      func.return
    })";
  Random random(5);
  Tensor source(DType::f32, {15}, random_values(DType::f32, random, 15)), result(DType::f32, {15});
  std::vector<std::uint64_t> before = result.bits();
  run(text, {&result, &source}, 4);
  for (std::int64_t i = 0; i < 15; ++i) {
    std::uint64_t x = source.get({i}), sign = 0x80000000u;
    EXPECT_EQ(result.get({i}), i < 4 ? x : i < 8 ? x ^ sign : before[static_cast<std::size_t>(i)]);
  }
}

TEST_P(ControlFlow, matrix_product_in_tiles) {
  const std::string text = R"(
    func.func @kernel(%c: !tile.view<out, 8x16xi32>, %a: !tile.view<in, 8x4xi8>, %b: !tile.view<in, 4x16xi8>) {
      %row = tile.program_index %c axis 0 : !tile.view<out, 8x16xi32>
      %col = tile.program_index %c axis 1 : !tile.view<out, 8x16xi32>
      %n = tile.num_tiles %a axis 1 : !tile.view<in, 8x4xi8>
      %zero = tile.constant 0 : i64
      %one = tile.constant 1 : i64
      %init = tile.constant dense<0> : tensor<8x16xi32>
      %acc = scf.for %k = %zero to %n step %one iter_args(%s = %init) -> (tensor<8x16xi32>) : i64 {
        %x = tile.load %a[%row, %k] : !tile.view<in, 8x4xi8> -> tensor<8x4xi8>
        %y = tile.load %b[%k, %col] : !tile.view<in, 4x16xi8> -> tensor<4x16xi8>
        %t = tile.mma %x, %y, %s : tensor<8x4xi8>, tensor<4x16xi8> -> tensor<8x16xi32>
        scf.yield %t : tensor<8x16xi32>
      }
      tile.store %acc, %c[%row, %col] : tensor<8x16xi32>, !tile.view<out, 8x16xi32>
      func.return
    })";
  for (const Shape& size : {Shape{16, 32, 8}, Shape{13, 21, 11}, Shape{1, 1, 1}, Shape{5, 7, 0}, Shape{0, 3, 3}}) {
    std::int64_t m = size[0], n = size[1], depth = size[2];
    Random random(7);
    Tensor a(DType::i8, {m, depth}, random_bits(DType::i8, random, m * depth)),
        b(DType::i8, {depth, n}, random_bits(DType::i8, random, depth * n));
    Tensor c(DType::i32, {m, n});
    run(text, {&c, &a, &b}, tile_count(c, {8, 16}));
    for_each_index(c.extents, [&](const Shape& at) {
      Whole sum = 0;
      for (std::int64_t k = 0; k < depth; ++k)
        sum += decode_integer(DType::i8, a.get({at[0], k})) * decode_integer(DType::i8, b.get({k, at[1]}));
      ASSERT_EQ(c.get(at), encode_integer(DType::i32, sum));
    });
  }
}

} // namespace tegula::test
