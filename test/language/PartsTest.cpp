// Kernels that read and write parts of tensors: whole tiles, in memory that is aligned to its elements only.
#include "Language.h"

namespace tegula::test {
namespace {

/// The part behind the first element of a larger tensor.
template <class T, int R> Tensor<T, R> off_by_one(Extents<R> extents, const std::vector<HostElement<T>>& elements) {
  std::vector<HostElement<T>> all(1);
  all.insert(all.end(), elements.begin(), elements.end());
  auto [first, rest] = Tensor<T, 1>::from_host(test_device(), {static_cast<i64>(all.size())}, all).template split<0>(1);
  return std::move(rest).template reshape<R>(extents);
}

template <class T> void check_each() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  constexpr int n = 256, tiles = 4;
  const auto numbers = some<T>(n * tiles, 0, 50, 1);
  auto k = kernel("part", [](Out<T, n> y, In<T, n> x) { y.store(x[y] + x[y]); });
  const auto x = off_by_one<T, 1>({n * tiles}, numbers);
  auto y = k(off_by_one<T, 1>({n * tiles}, numbers), x).sync();
  expect_same(y.to_host(), map([](T v) { return static_cast<T>(v + v); }, numbers));
  auto to = kernel("part_to", [](InOut<T, n> z, In<T, n> v) { z.store(z.load() + v[z]); });
  y = to(std::move(y), x).sync();
  expect_same(y.to_host(), map([](T v) { return static_cast<T>(v + v + v); }, numbers));
}
TEST(Parts, AreAlignedToTheirElementsOnly) {
  check_each<f64>();
  check_each<f32>();
  check_each<i64>();
  check_each<i16>();
  check_each<i8>();
}

template <class T> void check_product() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  constexpr int m = 128, n = 64, k = 64; // whole tiles
  const auto a = some<T>(m * k, -7, 8, 1), b = some<T>(k * n, -8, 7, 2);
  auto multiply = kernel("part_product", [](Out<f32, 64, 64> c, In<T, 64, 32> x, In<T, 32, 64> z) {
    auto sum = zeros<f32, 64, 64>();
    for (auto l : x.cols())
      sum = mma(x(c.row(), l), z(l, c.col()), sum);
    c.store(sum);
  });
  std::vector<f32> expected(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        expected[i * n + j] += static_cast<f32>(a[i * k + l]) * static_cast<f32>(b[l * n + j]);
  const auto x = off_by_one<T, 2>({m, k}, a), z = off_by_one<T, 2>({k, n}, b);
  expect_same(multiply(off_by_one<f32, 2>({m, n}, expected), x, z).sync().to_host(), expected);
}
TEST(Parts, AreFactorsAndProducts) {
  check_product<f32>();
  check_product<f16>();
  check_product<bf16>();
}

// bf16 and f16, too: sums of two bytes are made in words of four.
template <class T> void check_sums() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  auto add = kernel("part_sums", [](AddInto<T, 64> sums, In<T, 64> x) {
    for (auto i : range(this_program(), x.count(0), programs()))
      sums.accumulate(x(i), 0);
  });
  const auto numbers = some<T>(256, 0, 9, 3);
  const auto x = off_by_one<T, 1>({256}, numbers);
  std::vector<double> expected(64);
  for (int i = 0; i < 256; ++i)
    expected[i % 64] += number(numbers[i]);
  const auto sums = add(off_by_one<T, 1>({64}, std::vector<T>(64)), x).sync();
  expect_near(sums.to_host(), expected, 0);
}
TEST(Parts, AreAddedTo) {
  check_sums<f32>();
  check_sums<bf16>();
  check_sums<f16>();
  check_sums<i32>();
}

} // namespace
} // namespace tegula::test
