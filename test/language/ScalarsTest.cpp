// Tiles of rank 0 and of few elements take other ways through the compiler than long ones: the results must be the same.
#include "Language.h"

namespace tegula::test {
namespace {

template <class T> void all_pairs(std::vector<T>& a, std::vector<T>& b) {
  using L = std::numeric_limits<T>;
  std::vector<T> numbers;
  if constexpr (std::is_integral_v<T>)
    numbers = {0, 1, 2, 7, 31, 64, static_cast<T>(-1), static_cast<T>(-7), L::min(), L::max()};
  else
    numbers = list<T>({0, -0.0, 1, -1.5, 0.1, 2.5, 1000, INFINITY, -INFINITY, NAN});
  for (T x : numbers)
    for (T y : numbers) {
      a.push_back(x);
      b.push_back(y);
    }
}

/// F on tiles of 64 elements, of 1 to 8, and on scalars.
template <class U, class T, class F> void check(F f) {
  SCOPED_TRACE(name(dtype_of<T>::value));
  std::vector<T> a, b;
  all_pairs(a, b);
  const auto want = each<U, 64>(f, a, b);
  expect_same(each<U, 1>(f, a, b), want);
  expect_same(each<U, 2>(f, a, b), want);
  expect_same(each<U, 4>(f, a, b), want);
  expect_same(each<U, 8>(f, a, b), want);
  expect_same(each<U, 1>([](auto x, auto y) { return full<U, 1>(F{}(reshape<>(x), reshape<>(y))); }, a, b), want);
}

template <class T> void check_numbers() {
  check<T, T>([](auto x, auto y) { return x + y * x - y; });
  check<T, T>([](auto x, auto y) { return x / y + x % y; });
  check<T, T>([](auto x, auto y) { return maximum(x, y) - minimum(-x, abs(y)); });
  check<bool, T>([](auto x, auto y) { return (x < y) ^ (x >= y) ^ (x == y); });
  check<T, T>([](auto x, auto y) { return select(x > y || x != x, y, x); });
  check<i8, T>([](auto x, auto y) { return cast<i8>(x, saturate) - cast<i8>(y); });
  check<u32, T>([](auto x, auto y) { return cast<u32>(x) ^ cast<u32>(y); });
  check<bf16, T>([](auto x, auto y) { return cast<bf16>(x) + cast<bf16>(y); });
  check<f8e4m3, T>([](auto x, auto y) { return cast<f8e4m3>(select(x < y, x, y), saturate); });
}
template <class T> void check_bits() {
  check<T, T>([](auto x, auto y) { return (x << y) ^ (x >> y); });
  check<T, T>([](auto x, auto y) { return (x & y) + (x | ~y); });
}
TEST(Scalars, Integers) {
  check_numbers<i32>();
  check_numbers<u8>();
  check_numbers<i64>();
  check_numbers<u64>();
  check_bits<i8>();
  check_bits<u32>();
  check_bits<i64>();
}
TEST(Scalars, Floats) {
  check_numbers<f64>();
  check_numbers<f32>();
  check_numbers<f16>();
  check_numbers<bf16>();
  check<f32, f32>([](auto x, auto y) { return floor(x) + ceil(y) + round(x) + trunc(y) + sqrt(abs(x)); });
  check<i32, f32>([](auto x, auto y) { return cast<i32>(x, Rounding::up) ^ cast<i32>(y, Rounding::nearest_even); });
  check<u32, f32>([](auto x, auto y) { return bitcast<u32>(x) + bitcast<u32>(y); });
  check<f32, f32>([](auto x, auto y) { return fma(x, y, x); });
}

// bool and fp8 have no arithmetic, but all that moves elements works.
TEST(Narrow, BoolTiles) {
  const Device device = test_device();
  auto k = kernel("bools", [](Out<bool, 8, 8> y, Out<bool, 8, 1> z, In<bool, 8, 8> x, Scalar<bool> s, Scalar<i32> n) {
    auto v = x.load_or(y, true), w = transpose(v);
    auto r = zeros<bool, 8, 8>();
    for (auto i : range(n)) {
      r = insert(r, extract<1, 8>(w, i, 0) || s, 7 - i, 0);
      std::swap(v, w);
    }
    auto parity = reduce<1>(r, [](auto a, auto b) { return a ^ b; });
    auto prefix = scan<1>(r, [](auto a, auto b) { return a ^ b; });
    auto halves = concatenate<1>(extract<8, 4>(prefix, 0, 1), extract<8, 4>(prefix, 0, 0));
    y.store(select(s, v, halves) == (any<0>(v) && !all<1>(w)));
    z.store(parity);
  });
  const auto host = some<bool>(49, 0, 1);
  const auto x = Tensor<bool, 2>::from_host(device, {7, 7}, host);
  for (bool s : {false, true})
    for (int n : {0, 3, 8}) {
      u8 v[8][8], w[8][8], r[8][8] = {}, prefix[8][8];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
          v[i][j] = i < 7 && j < 7 ? host[i * 7 + j] : 1;
          w[j][i] = v[i][j];
        }
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < 8; ++j)
          r[7 - i][j] = w[i][j] || s;
        std::swap(v, w);
      }
      Host<bool> want, parity;
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          prefix[i][j] = r[i][j] ^ (j ? prefix[i][j - 1] : 0);
      for (int i = 0; i < 7; ++i) {
        parity.push_back(prefix[i][7]);
        for (int j = 0; j < 7; ++j) {
          bool any_of = false, all_of = true;
          for (int q = 0; q < 8; ++q) {
            any_of |= v[q][j];
            all_of &= w[i][q];
          }
          want.push_back((s ? v[i][j] : prefix[i][(j + 4) % 8]) == (any_of && !all_of));
        }
      }
      const auto [y, z] = k(Tensor<bool, 2>::zeros(device, {7, 7}), Tensor<bool, 2>::zeros(device, {7, 1}), x, s, n).sync();
      expect_same(y.to_host(), want);
      expect_same(z.to_host(), parity);
    }
}

template <class T> void check_fp8() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  const Device device = test_device();
  auto k = kernel("fp8", [](Out<T, 8, 8> y, In<T, 8, 8> x, Scalar<T> s, Scalar<i32> n) {
    auto v = x.load_or(y, 3), w = transpose(v);
    for (auto i : range(n)) {
      w = insert(w, extract<1, 8>(v, i, 0), 7 - i, 0);
      std::swap(v, w);
    }
    y.store(select(v < w || v == s, v, concatenate<1>(extract<8, 4>(w, 0, 1), full<T, 8, 4>(s))));
  });
  const auto host = some<T>(49, -5, 5);
  const auto x = Tensor<T, 2>::from_host(device, {7, 7}, host);
  for (int n : {0, 1, 6}) {
    f32 v[8][8], w[8][8];
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
        w[j][i] = v[i][j] = i < 7 && j < 7 ? f32(host[i * 7 + j]) : 3;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < 8; ++j)
        w[7 - i][j] = v[i][j];
      std::swap(v, w);
    }
    std::vector<T> want;
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j)
        want.push_back(T(v[i][j] < w[i][j] || v[i][j] == -2 ? v[i][j] : j < 4 ? w[i][j + 4] : -2));
    expect_same(k(Tensor<T, 2>::zeros(device, {7, 7}), x, -2, n).sync().to_host(), want);
  }
}
TEST(Narrow, Fp8Tiles) {
  check_fp8<f8e4m3>();
  check_fp8<f8e5m2>();
}

} // namespace
} // namespace tegula::test
