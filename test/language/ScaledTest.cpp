// Products of operands with scales, against plain loops.
#include "Language.h"

namespace tegula::test {
namespace {

std::vector<f8e8m0> some_scales(int count, int lowest, int highest, int seed = 1) {
  std::vector<f8e8m0> scales;
  for (int exponent : some<i32>(count, lowest, highest, seed))
    scales.push_back(f8e8m0::from_bits(static_cast<u8>(exponent + 127)));
  return scales;
}

/// A matrix with a scale for each block of its rows or columns; no scales: 1.
template <class T> struct Scaled {
  std::vector<T> numbers;
  std::vector<f8e8m0> scales = {};
};

/// In f64, rounded to f32 at the end.
template <class A, class B> std::vector<f32> product(const Scaled<A>& a, const Scaled<B>& b, const std::vector<f32>& acc, int batch,
                                                     int m, int n, int k, int block) {
  std::vector<f32> c;
  const int blocks = (k + block - 1) / block;
  for (int p = 0; p < batch; ++p)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        f64 sum = acc[(p * m + i) * n + j];
        for (int l = 0; l < k; ++l) {
          const f64 x = a.scales.empty() ? 1 : f64(f32(a.scales[(p * m + i) * blocks + l / block])),
                    y = b.scales.empty() ? 1 : f64(f32(b.scales[(p * blocks + l / block) * n + j]));
          sum += f64(f32(a.numbers[(p * m + i) * k + l])) * f64(f32(b.numbers[(p * k + l) * n + j])) * x * y;
        }
        c.push_back(static_cast<f32>(sum));
      }
  return c;
}

// Small integers, and scales near 1: every partial sum is exact.
template <class A, class B, int M, int N, int K, int Block> void check_scaled() {
  SCOPED_TRACE(std::string(name(dtype_of<A>::value)) + " " + name(dtype_of<B>::value) + ", blocks of " + std::to_string(Block));
  constexpr int batch = 3, blocks = K / Block;
  const Device device = test_device();
  const Scaled<A> a{some<A>(batch * M * K, -7, 8, 1), some_scales(batch * M * blocks, -2, 2, 2)};
  const Scaled<B> b{some<B>(batch * K * N, -8, 7, 3), some_scales(batch * blocks * N, -2, 2, 4)};
  const auto c = some<f32>(batch * M * N, -50, 50, 5);
  auto k = kernel("scaled", [](Out<f32, 2, M, N> y, In<A, 2, M, K> x, In<f8e8m0, 2, M, blocks> xs, In<B, 2, K, N> z,
                               In<f8e8m0, 2, blocks, N> zs, In<f32, 2, M, N> acc) {
    expects(x.extent(0) == y.extent(0) && xs.extent(0) == y.extent(0) && z.extent(0) == y.extent(0) && zs.extent(0) == y.extent(0),
            "one batch");
    expects(acc.extent(0) == y.extent(0) && y.count(1) == 1 && y.count(2) == 1, "one tile of each");
    const auto at = y.at(0);
    y.store(mma_scaled(x(at, 0, 0), xs(at, 0, 0), z(at, 0, 0), zs(at, 0, 0), acc[y]));
  });
  const auto ta = Tensor<A, 3>::from_host(device, {batch, M, K}, a.numbers);
  const auto tb = Tensor<B, 3>::from_host(device, {batch, K, N}, b.numbers);
  const auto sa = Tensor<f8e8m0, 3>::from_host(device, {batch, M, blocks}, a.scales);
  const auto sb = Tensor<f8e8m0, 3>::from_host(device, {batch, blocks, N}, b.scales);
  const auto tc = Tensor<f32, 3>::from_host(device, {batch, M, N}, c);
  expect_same(k(Tensor<f32, 3>::zeros(device, {batch, M, N}), ta, sa, tb, sb, tc).sync().to_host(),
              product(a, b, c, batch, M, N, K, Block));
}
TEST(Scaled, BlocksOfSeveralSizes) {
  check_scaled<f8e4m3, f8e4m3, 16, 32, 64, 32>();
  check_scaled<f8e4m3, f8e5m2, 16, 16, 64, 16>();
  check_scaled<f8e5m2, f8e4m3, 32, 8, 64, 64>();
  check_scaled<f8e5m2, f8e5m2, 1, 4, 2, 1>();
}

// One operand has scales; the other may be wider.
template <class A> void check_one_side() {
  SCOPED_TRACE(name(dtype_of<A>::value));
  constexpr int m = 16, n = 8, k = 64;
  const Device device = test_device();
  const Scaled<A> a{some<A>(m * k, -7, 8, 1)};
  const Scaled<f8e4m3> b{some<f8e4m3>(k * n, -8, 7, 2), some_scales(k / 32 * n, -3, 3, 3)};
  const std::vector<f32> zero(m * n);
  auto right = kernel("right", [](Out<f32, 16, 8> y, In<A, 16, 64> x, In<f8e4m3, 64, 8> z, In<f8e8m0, 2, 8> scales) {
    y.store(mma_scaled(x(0, 0), unscaled, z(0, 0), scales(0, 0), zeros<f32, 16, 8>()));
  });
  auto left = kernel("left", [](Out<f32, 8, 16> y, In<A, 16, 64> x, In<f8e4m3, 64, 8> z, In<f8e8m0, 2, 8> scales) {
    y.store(mma_scaled(transpose(z(0, 0)), transpose(scales(0, 0)), transpose(x(0, 0)), unscaled, zeros<f32, 8, 16>()));
  });
  const auto ta = Tensor<A, 2>::from_host(device, {m, k}, a.numbers);
  const auto tb = Tensor<f8e4m3, 2>::from_host(device, {k, n}, b.numbers);
  const auto sb = Tensor<f8e8m0, 2>::from_host(device, {k / 32, n}, b.scales);
  const auto want = product(a, b, zero, 1, m, n, k, 32);
  expect_same(right(Tensor<f32, 2>::zeros(device, {m, n}), ta, tb, sb).sync().to_host(), want);
  std::vector<f32> transposed;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      transposed.push_back(want[i * n + j]);
  expect_same(left(Tensor<f32, 2>::zeros(device, {n, m}), ta, tb, sb).sync().to_host(), transposed);
}
TEST(Scaled, OneOperandWithoutScales) {
  check_one_side<f8e5m2>();
  check_one_side<bf16>();
  check_one_side<f16>();
}

// Each row of a has one number and one scale, each column of b, too; all that they give is compared with f64.
TEST(Scaled, EveryPairOfScalesIsExact) {
  const Device device = test_device();
  constexpr int m = 256, n = 64, k = 32;
  std::vector<f8e4m3> a(m * k, f8e4m3(0)), b(k * n, f8e4m3(0));
  std::vector<f8e8m0> sa(m), sb(n);
  for (int i = 0; i < m; ++i) {
    a[i * k] = f8e4m3(i % 3 == 0 ? 0.015625f : i % 3 == 1 ? -448.0f : 0.0f);
    sa[i] = f8e8m0::from_bits(static_cast<u8>(i));
  }
  for (int j = 0; j < n; ++j) {
    b[j] = f8e4m3(j % 2 ? 1.5f : 448.0f);
    sb[j] = f8e8m0::from_bits(static_cast<u8>(j % 8 == 0 ? 255 - j / 4 : j * 4));
  }
  auto kernel_of = kernel(
      "edges", [](Out<f32, 64, 64> y, In<f8e4m3, 64, 32> x, In<f8e8m0, 64, 1> xs, In<f8e4m3, 32, 64> z, In<f8e8m0, 1, 64> zs) {
        y.store(mma_scaled(x(y.row(), 0), xs(y.row(), 0), z(0, 0), zs(0, 0), zeros<f32, 64, 64>()));
      });
  const auto ta = Tensor<f8e4m3, 2>::from_host(device, {m, k}, a), tb = Tensor<f8e4m3, 2>::from_host(device, {k, n}, b);
  const auto ts = Tensor<f8e8m0, 2>::from_host(device, {m, 1}, sa), tt = Tensor<f8e8m0, 2>::from_host(device, {1, n}, sb);
  expect_same(kernel_of(Tensor<f32, 2>::zeros(device, {m, n}), ta, ts, tb, tt).sync().to_host(),
              product<f8e4m3, f8e4m3>({a, sa}, {b, sb}, std::vector<f32>(m * n), 1, m, n, k, 32));
}

// What reads as padding adds nothing: elements are 0, and scales are finite.
TEST(Scaled, MatrixProductWithRaggedEdges) {
  const Device device = test_device();
  constexpr int m = 45, n = 70, l = 150, blocks = (l + 31) / 32;
  const Scaled<f8e4m3> a{some<f8e4m3>(m * l, -7, 8, 1), some_scales(m * blocks, -2, 2, 2)};
  const Scaled<f8e5m2> b{some<f8e5m2>(l * n, -8, 7, 3), some_scales(blocks * n, -2, 2, 4)};
  auto k = kernel("block_scaled",
                  [](Out<f32, 16, 32> c, In<f8e4m3, 16, 64> x, In<f8e8m0, 16, 2> xs, In<f8e5m2, 64, 32> y, In<f8e8m0, 2, 32> ys) {
                    expects(x.extent(0) == c.extent(0) && xs.extent(0) == c.extent(0) && y.extent(1) == c.extent(1) &&
                                ys.extent(1) == c.extent(1),
                            "rows and columns");
                    expects(x.extent(1) == y.extent(0) && xs.count(1) == x.count(1) && ys.count(0) == x.count(1),
                            "there are scales of every block");
                    auto acc = zeros<f32, 16, 32>();
                    for (auto i : x.cols())
                      acc = mma_scaled(x(c.row(), i), xs(c.row(), i), y(i, c.col()), ys(i, c.col()), acc);
                    c.store(acc);
                  },
                  {.strict = true});
  const auto ta = Tensor<f8e4m3, 2>::from_host(device, {m, l}, a.numbers);
  const auto tb = Tensor<f8e5m2, 2>::from_host(device, {l, n}, b.numbers);
  const auto sa = Tensor<f8e8m0, 2>::from_host(device, {m, blocks}, a.scales);
  const auto sb = Tensor<f8e8m0, 2>::from_host(device, {blocks, n}, b.scales);
  expect_same(k(Tensor<f32, 2>::zeros(device, {m, n}), ta, sa, tb, sb).sync().to_host(),
              product(a, b, std::vector<f32>(m * n), 1, m, n, l, 32));
}

// What a scale reads as where its tensor ends: there is no zero.
TEST(Scaled, PaddingIsTheSmallestScale) {
  const Device device = test_device();
  auto k = kernel("padding", [](Out<f32, 8> y, In<f8e8m0, 4> x) { y.store(cast<f32>(concatenate<0>(x(0), x.load_or(0, 4)))); });
  const auto x = Tensor<f8e8m0, 1>::from_host(device, {1}, {f8e8m0(2.0f)});
  expect_same(k(Tensor<f32, 1>::zeros(device, {8}), x).sync().to_host(),
              std::vector<f32>{2, 0x1p-127f, 0x1p-127f, 0x1p-127f, 2, 4, 4, 4});
}

} // namespace
} // namespace tegula::test
