// Index arithmetic: where an i64 meets a shorter signed integer, that is widened.
#include "Language.h"

namespace tegula::test {
namespace {

Int twice(const Int& i) { return i * 2; }

/// One element for each expression.
void expressions(Out<i64, 16> y, Scalar<i32> n, Scalar<i16> s) {
  Int i = n;
  i += s;
  Int j = 0;
  j = s;
  const Int p = programs() * 64 + n;
  Int flags = 0;
  for (const auto& holds : {n<p, p> s, n == p - 64, p - 64 == n, p != n, s <= i})
    flags = flags * 2 + select(holds, 1, Int(0));
  Int sum = 0;
  for (auto k : range(s, Int(5)))
    sum += k * s;
  auto result = full<i64, 16>(s) - s;
  int at = 0;
  for (const Int& number : {i, j, p, flags, select(p > 0, n, p), select(p > 0, p, n), minimum(n, p), clamp(p, s, n), twice(n), sum,
                            Int(n) << s, n % p, p / s})
    result = select(iota<16>() == at++, number, result);
  y.store(result);
}

TEST(Indices, ShorterIntegersAreWidened) {
  const Device device = test_device();
  constexpr i64 n = 1 << 30;
  constexpr i64 s = -3, p = 64 + n;
  const auto y = kernel<expressions>("expressions")(Tensor<i64, 1>::zeros(device, {16}), n, s).sync().to_host();
  EXPECT_EQ(y, (std::vector<i64>{n + s, s, p, 63, n, p, n, n, 2 * n, 4 * s, 0, n, p / s, 0, 0, 0}));
}

/// Numbers that i32 cannot hold come about by adding to them.
TEST(Indices, NothingIsLost) {
  const Device device = test_device();
  const auto k = kernel("wide", [](Out<i64, 4> y, In<i32, 4> x, Scalar<i64> n) { y.store(x[y] * n + x[y]); });
  const std::vector<i32> numbers{2147483647, -2147483647 - 1, -1, 7};
  const auto x = Tensor<i32, 1>::from_host(device, {4}, numbers);
  const i64 n = i64{1} << 31;
  std::vector<i64> want;
  for (const i64 number : numbers)
    want.push_back(number * n + number);
  EXPECT_EQ(k(Tensor<i64, 1>::zeros(device, {4}), x, n).sync().to_host(), want);
}

/// Rows in another order, without a cast; proved, or it would be refused.
void reversed(Patch<f32, 1, 16> y, In<f32, 1, 16> x, Scalar<i32> shift) {
  expects(y.extent(0) == x.extent(0) && y.count(1) == 1 && x.count(1) == 1, "matrices of one shape");
  for (auto block : range(this_program(), x.extent(0) / 16 + 1, programs())) {
    const auto at = block * 16 + iota<16>();
    const auto rows = select(at < x.extent(0), at, -1);
    scatter<0>(y, rows, gather<0>(x, select(rows >= 0, x.extent(0) - 1 - rows, -1), 0) + cast<f32>(this_program() * 0 + shift), 0);
  }
}

TEST(Indices, PositionsNeedNoCast) {
  const Device device = test_device();
  const i64 rows = 37;
  std::vector<f32> numbers(static_cast<std::size_t>(rows * 16)), want;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<f32>(i);
  for (i64 row = rows - 1; row >= 0; --row)
    for (i64 column = 0; column < 16; ++column)
      want.push_back(static_cast<f32>(row * 16 + column + 5));
  const auto x = Tensor<f32, 2>::from_host(device, {rows, 16}, numbers);
  const auto k = kernel<reversed>("reversed", {.strict = true});
  expect_same(k(Tensor<f32, 2>::zeros(device, {rows, 16}), x, 5).programs(2).sync().to_host(), want);
}

} // namespace
} // namespace tegula::test
