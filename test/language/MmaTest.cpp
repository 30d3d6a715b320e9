// Products of tiles for every legal combination of element types, batched, with tf32, and in whole matrix products.
#include "Language.h"

namespace tegula::test {
namespace {

template <class T, class Acc>
std::vector<Acc> product(const std::vector<T>& a, const std::vector<T>& b, std::vector<Acc> c, int batch, int m, int n, int k) {
  for (int p = 0; p < batch; ++p)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        for (int l = 0; l < k; ++l)
          c[(p * m + i) * n + j] += static_cast<Acc>(a[(p * m + i) * k + l]) * static_cast<Acc>(b[(p * k + l) * n + j]);
  return c;
}

// Small integers: every partial sum is exact, so the order of summation does not show.
template <class T, class Acc, int M, int N, int K> void check_product() {
  SCOPED_TRACE(std::string(name(dtype_of<T>::value)) + " " + std::to_string(M) + "×" + std::to_string(N) + "×" + std::to_string(K));
  const Device device = test_device();
  const auto a = some<T>(M * K, std::is_unsigned_v<T> ? 0 : -7, 8, 1), b = some<T>(K * N, std::is_unsigned_v<T> ? 0 : -8, 7, 2);
  const auto c = some<Acc>(M * N, -50, 50, 3);
  auto k = kernel(
      "mma", [](Out<Acc, M, N> y, In<T, M, K> x, In<T, K, N> z, In<Acc, M, N> acc) { y.store(mma(x(0, 0), z(0, 0), acc[y])); });
  const auto ta = Tensor<T, 2>::from_host(device, {M, K}, a), tb = Tensor<T, 2>::from_host(device, {K, N}, b);
  const auto tc = Tensor<Acc, 2>::from_host(device, {M, N}, c);
  expect_same(k(Tensor<Acc, 2>::zeros(device, {M, N}), ta, tb, tc).sync().to_host(), product(a, b, c, 1, M, N, K));
}
template <class T, class Acc> void check_sizes() {
  check_product<T, Acc, 1, 1, 1>();
  check_product<T, Acc, 1, 16, 4>();
  check_product<T, Acc, 4, 8, 2>();
  check_product<T, Acc, 32, 1, 16>();
  check_product<T, Acc, 16, 32, 64>();
  check_product<T, Acc, 64, 64, 1>();
  check_product<T, Acc, 128, 64, 32>();
}
TEST(Mma, F64) { check_sizes<f64, f64>(); }
TEST(Mma, F32) { check_sizes<f32, f32>(); }
TEST(Mma, F16) { check_sizes<f16, f32>(); }
TEST(Mma, BF16) { check_sizes<bf16, f32>(); }
TEST(Mma, E4M3) { check_sizes<f8e4m3, f32>(); }
TEST(Mma, E5M2) { check_sizes<f8e5m2, f32>(); }
TEST(Mma, I8) { check_sizes<i8, i32>(); }
TEST(Mma, U8) { check_sizes<u8, i32>(); }

template <class T> std::vector<T> extremes(int n, T lo, T hi) {
  std::vector<T> r;
  for (int i = 0; i < n; ++i)
    r.push_back(i % 3 ? lo : hi);
  return r;
}
TEST(Mma, BytesOverTheirWholeRange) {
  const auto run = [](auto lo, auto hi) {
    using T = decltype(lo);
    const Device device = test_device();
    const auto a = extremes<T>(16 * 64, lo, hi), b = extremes<T>(64 * 16, hi, lo);
    auto k = kernel("bytes", [](Out<i32, 16, 16> y, In<T, 16, 64> x, In<T, 64, 16> z) {
      y.store(mma(x(0, 0), z(0, 0), zeros<i32, 16, 16>()));
    });
    const auto ta = Tensor<T, 2>::from_host(device, {16, 64}, a), tb = Tensor<T, 2>::from_host(device, {64, 16}, b);
    expect_same(k(Tensor<i32, 2>::zeros(device, {16, 16}), ta, tb).sync().to_host(),
                product(a, b, std::vector<i32>(256), 1, 16, 16, 64));
  };
  run(i8(-128), i8(127));
  run(u8(255), u8(254));
}

TEST(Mma, MixedFp8) {
  const Device device = test_device();
  const auto a = some<f8e4m3>(16 * 32, -7, 8), t = a;
  const auto b = some<f8e5m2>(32 * 16, -8, 7);
  auto k = kernel("mixed", [](Out<f32, 16, 16> y, In<f8e4m3, 16, 32> x, In<f8e5m2, 32, 16> z) {
    y.store(mma(x(0, 0), z(0, 0), zeros<f32, 16, 16>()));
  });
  const auto ta = Tensor<f8e4m3, 2>::from_host(device, {16, 32}, a);
  const auto tb = Tensor<f8e5m2, 2>::from_host(device, {32, 16}, b);
  expect_same(k(Tensor<f32, 2>::zeros(device, {16, 16}), ta, tb).sync().to_host(),
              product(map([](f8e4m3 v) { return float(v); }, a), map([](f8e5m2 v) { return float(v); }, b), std::vector<f32>(256),
                      1, 16, 16, 32));
}

TEST(Mma, Tf32RoundsItsOperands) {
  const Device device = test_device();
  std::vector<f32> a(16 * 16), b(16 * 16), ra, rb;
  for (int i = 0; i < 256; ++i) {
    a[i] = i % 17 == 0 ? 1 + (i % 7) * 0x1p-12f : 0; // one number per row, so that the product is exact
    b[i] = 1 + (i % 11) * 0x1p-12f;
  }
  const auto rounded = [](f32 x) { // to 10 bits, ties to even
    u32 bits;
    std::memcpy(&bits, &x, 4);
    bits += 0xfff + (bits >> 13 & 1);
    bits &= ~0x1fffu;
    std::memcpy(&x, &bits, 4);
    return x;
  };
  ra = map(rounded, a);
  rb = map(rounded, b);
  const auto ta = Tensor<f32, 2>::from_host(device, {16, 16}, a), tb = Tensor<f32, 2>::from_host(device, {16, 16}, b);
  auto with = kernel("tf32", [](Out<f32, 16, 16> y, In<f32, 16, 16> x, In<f32, 16, 16> z) {
    y.store(mma(x[y], z[y], zeros<f32, 16, 16>(), tf32));
  });
  auto without = kernel(
      "f32", [](Out<f32, 16, 16> y, In<f32, 16, 16> x, In<f32, 16, 16> z) { y.store(mma(x[y], z[y], zeros<f32, 16, 16>())); });
  const auto make = [&] { return Tensor<f32, 2>::zeros(device, {16, 16}); };
  expect_same(with(make(), ta, tb).sync().to_host(), product(ra, rb, std::vector<f32>(256), 1, 16, 16, 16));
  expect_same(without(make(), ta, tb).sync().to_host(), product(a, b, std::vector<f32>(256), 1, 16, 16, 16));
}

template <class T, class Acc> void check_batched() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  const Device device = test_device();
  const auto a = some<T>(6 * 8 * 16, -3, 4, 1), b = some<T>(6 * 16 * 4, -4, 3, 2);
  auto k = kernel("batched", [](Out<Acc, 2, 2, 8, 4> y, In<T, 2, 2, 8, 16> x, In<T, 2, 2, 16, 4> z) {
    y.store(mma(x(y.at(0), y.at(1), 0, 0), z(y.at(0), y.at(1), 0, 0), full<Acc, 2, 2, 8, 4>(5)));
  });
  const auto ta = Tensor<T, 4>::from_host(device, {2, 3, 8, 16}, a), tb = Tensor<T, 4>::from_host(device, {2, 3, 16, 4}, b);
  expect_same(k(Tensor<Acc, 4>::zeros(device, {2, 3, 8, 4}), ta, tb).sync().to_host(),
              product(a, b, std::vector<Acc>(6 * 8 * 4, 5), 6, 8, 4, 16));
}
TEST(Mma, Batched) {
  check_batched<f64, f64>();
  check_batched<f32, f32>();
  check_batched<f16, f32>();
  check_batched<bf16, f32>();
  check_batched<f8e4m3, f32>();
  check_batched<i8, i32>();
}

// Operands that are computed, transposed, and accumulators that are carried: matrices with ragged edges.
template <class T, class Acc> void check_matrix_product() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  const Device device = test_device();
  constexpr int m = 45, n = 70, l = 37;
  const auto a = some<T>(m * l, -7, 8, 1), b = some<T>(n * l, -8, 7, 2);
  auto k = kernel("a_bt", [](Out<Acc, 16, 32> c, In<T, 16, 8> x, In<T, 32, 8> y) {
    auto acc = zeros<Acc, 16, 32>();
    for (auto i : x.cols())
      acc = mma(x(c.row(), i), transpose(y(c.col(), i)), acc);
    c.store(acc * 2);
  });
  std::vector<T> bt;
  for (int i = 0; i < l; ++i)
    for (int j = 0; j < n; ++j)
      bt.push_back(b[j * l + i]);
  auto want = product(a, bt, std::vector<Acc>(m * n), 1, m, n, l);
  for (auto& v : want)
    v *= 2;
  const auto ta = Tensor<T, 2>::from_host(device, {m, l}, a), tb = Tensor<T, 2>::from_host(device, {n, l}, b);
  expect_same(k(Tensor<Acc, 2>::zeros(device, {m, n}), ta, tb).sync().to_host(), want);
}
TEST(Mma, MatrixProductWithRaggedEdges) {
  check_matrix_product<f64, f64>();
  check_matrix_product<f32, f32>();
  check_matrix_product<f16, f32>();
  check_matrix_product<bf16, f32>();
  check_matrix_product<f8e5m2, f32>();
  check_matrix_product<i8, i32>();
  check_matrix_product<u8, i32>();
}

} // namespace
} // namespace tegula::test
