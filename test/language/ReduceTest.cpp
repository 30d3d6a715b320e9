// Reductions along an axis: named ones, callables over one and several tiles, argmax and argmin.
#include "Language.h"

namespace tegula::test {
namespace {

/// Folds each line along axis 0, 1 or 2 of a 4×8×16 array.
template <int Axis, class T, class F> std::vector<T> fold(const std::vector<T>& x, F f) {
  constexpr int extents[] = {4, 8, 16}, strides[] = {128, 16, 1};
  std::vector<T> r;
  for (int a = 0; a < (Axis == 0 ? 1 : 4); ++a)
    for (int b = 0; b < (Axis == 1 ? 1 : 8); ++b)
      for (int c = 0; c < (Axis == 2 ? 1 : 16); ++c) {
        const int start = a * 128 + b * 16 + c;
        T value = x[start];
        for (int i = 1; i < extents[Axis]; ++i)
          value = f(value, x[start + i * strides[Axis]]);
        r.push_back(value);
      }
  return r;
}

template <int Axis, class T> struct Reduced;
template <class T> struct Reduced<0, T> : From<4, 8, 16>::To<T, 1, 8, 16> {};
template <class T> struct Reduced<1, T> : From<4, 8, 16>::To<T, 4, 1, 16> {};
template <class T> struct Reduced<2, T> : From<4, 8, 16>::To<T, 4, 8, 1> {};

template <int Axis, class T> void check_reductions() {
  SCOPED_TRACE(std::string(name(dtype_of<T>::value)) + " axis " + std::to_string(Axis));
  const auto x = some<T>(512, std::is_unsigned_v<T> ? 0 : -2, 4);
  // Small integers: sums and products are exact in every order, also in the narrow types.
  expect_same(Reduced<Axis, T>::run([](auto t) { return sum<Axis>(t); }, x), fold<Axis>(x, [](T a, T b) { return T(a + b); }));
  if (sizeof(T) >= 4 || !is_float(dtype_of<T>::value))
    expect_same(Reduced<Axis, T>::run([](auto t) { return prod<Axis>(t + 1); }, x),
                fold<Axis>(map([](T v) { return T(v + 1); }, x), [](T a, T b) { return T(a * b); }));
  expect_same(Reduced<Axis, T>::run([](auto t) { return min<Axis>(t); }, x), fold<Axis>(x, [](T a, T b) { return a < b ? a : b; }));
  expect_same(Reduced<Axis, T>::run([](auto t) { return max<Axis>(t); }, x), fold<Axis>(x, [](T a, T b) { return a < b ? b : a; }));
}
template <class T> void check_axes() {
  check_reductions<0, T>();
  check_reductions<1, T>();
  check_reductions<2, T>();
}
TEST(Reduce, Floats) {
  check_axes<f64>();
  check_axes<f32>();
  check_axes<f16>();
  check_axes<bf16>();
}
TEST(Reduce, Integers) {
  check_axes<i64>();
  check_axes<i32>();
  check_axes<i16>();
  check_axes<i8>();
  check_axes<u64>();
  check_axes<u32>();
  check_axes<u16>();
  check_axes<u8>();
}

TEST(Reduce, AnyAndAll) {
  const auto x = some<i32>(512, 0, 9);
  const auto any_of = fold<2>(map([](i32 v) { return i32(v == 0); }, x), [](i32 a, i32 b) { return a | b; });
  const auto all_of = fold<0>(map([](i32 v) { return i32(v != 0); }, x), [](i32 a, i32 b) { return a & b; });
  expect_same(Reduced<2, i32>::run([](auto t) { return cast<i32>(any<2>(t == 0)); }, x), any_of);
  expect_same(Reduced<0, i32>::run([](auto t) { return cast<i32>(all<0>(t != 0)); }, x), all_of);
}

TEST(Reduce, NaNAndInfinity) {
  std::vector<f32> x(512, 1);
  x[3] = NAN;
  x[20] = -INFINITY;
  x[40] = INFINITY;
  const auto nan_wins = [](auto better) {
    return [=](f32 a, f32 b) { return std::isnan(a) || std::isnan(b) ? f32(NAN) : better(a, b) ? a : b; };
  };
  expect_same(Reduced<2, f32>::run([](auto t) { return max<2>(t); }, x), fold<2>(x, nan_wins([](f32 a, f32 b) { return a > b; })));
  expect_same(Reduced<2, f32>::run([](auto t) { return min<2>(t); }, x), fold<2>(x, nan_wins([](f32 a, f32 b) { return a < b; })));
  // The neutral element of max is -inf, so a line of -inf stays one.
  expect_same(Reduced<0, f32>::run([](auto t) { return max<0>(t); }, std::vector<f32>(512, -INFINITY)),
              std::vector<f32>(128, -INFINITY));
}

template <bool Largest, class T>
std::vector<i32> where(const std::vector<T>& x, int lines, int extent, int line_stride, int stride) {
  std::vector<i32> r;
  for (int l = 0; l < lines; ++l) {
    int best = 0;
    for (int i = 1; i < extent; ++i) {
      const T v = x[l * line_stride + i * stride], b = x[l * line_stride + best * stride];
      if (b == b && (v != v || (Largest ? v > b : v < b)))
        best = i;
    }
    r.push_back(best);
  }
  return r;
}
template <class T> void check_arg() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  const auto x = some<T>(16 * 32, 0, 20);
  expect_same((From<16, 32>::To<i32, 16, 1>::run([](auto t) { return argmax<1>(t); }, x)), where<true>(x, 16, 32, 32, 1));
  expect_same((From<16, 32>::To<i32, 16, 1>::run([](auto t) { return argmin<1>(t); }, x)), where<false>(x, 16, 32, 32, 1));
  expect_same((From<16, 32>::To<i32, 1, 32>::run([](auto t) { return argmax<0>(t); }, x)), where<true>(x, 32, 16, 1, 32));
  expect_same((From<16, 32>::To<i32, 1, 32>::run([](auto t) { return argmin<0>(t); }, x)), where<false>(x, 32, 16, 1, 32));
}
TEST(Reduce, ArgmaxAndArgmin) {
  check_arg<f64>();
  check_arg<f32>();
  check_arg<f16>();
  check_arg<bf16>();
  check_arg<i64>();
  check_arg<i8>();
  check_arg<u8>();
  check_arg<u64>();
  auto x = some<f32>(16 * 32, 0, 20);
  x[5] = x[9] = x[32 * 3] = x[32 * 7 + 31] = NAN;
  expect_same((From<16, 32>::To<i32, 16, 1>::run([](auto t) { return argmax<1>(t); }, x)), where<true>(x, 16, 32, 32, 1));
  expect_same((From<16, 32>::To<i32, 16, 1>::run([](auto t) { return argmin<1>(t); }, x)), where<false>(x, 16, 32, 32, 1));
}

TEST(ReduceBy, OneTile) {
  const auto x = some<i32>(512, -9, 9);
  const auto gcd_like = [](auto a, auto b) { return maximum(abs(a), abs(b)); };
  const auto want = [](i32 a, i32 b) { return std::max(std::abs(a), std::abs(b)); };
  expect_same(Reduced<0, i32>::run([](auto t) { return reduce<0>(t, decltype(gcd_like){}); }, x), fold<0>(x, want));
  expect_same(Reduced<1, i32>::run([](auto t) { return reduce<1>(t, decltype(gcd_like){}); }, x), fold<1>(x, want));
  expect_same(Reduced<2, i32>::run([](auto t) { return reduce<2>(t, decltype(gcd_like){}); }, x), fold<2>(x, want));
}

// "The first that is not zero", and "the last": associative, not commutative.
TEST(ReduceBy, OrderMatters) {
  auto x = some<i32>(512, -1, 9);
  for (auto& v : x)
    v = std::max(v, 0);
  expect_same(Reduced<2, i32>::run([](auto t) { return reduce<2>(t, [](auto a, auto b) { return select(a != 0, a, b); }); }, x),
              fold<2>(x, [](i32 a, i32 b) { return a != 0 ? a : b; }));
  expect_same(Reduced<1, i32>::run([](auto t) { return reduce<1>(t, [](auto a, auto b) { return select(b != 0, b, a); }); }, x),
              fold<1>(x, [](i32 a, i32 b) { return b != 0 ? b : a; }));
  expect_same(Reduced<0, i32>::run([](auto t) { return reduce<0>(t, [](auto, auto b) { return b; }); }, x),
              std::vector<i32>(x.end() - 128, x.end()));
}

// Affine maps x -> m x + c, composed from left to right: two operands, not commutative.
TEST(ReduceBy, ComposesAffineMaps) {
  const Device device = test_device();
  auto k = kernel("affine", [](Out<u32, 4, 1> m, Out<u32, 4, 1> c, In<u32, 4, 16> ms, In<u32, 4, 16> cs) {
    auto [slope, offset] = reduce<1>(std::tuple{ms(m.row(), 0), cs(m.row(), 0)},
                                     [](auto m1, auto c1, auto m2, auto c2) { return std::tuple{m1 * m2, c1 * m2 + c2}; });
    m.store(slope);
    c.store(offset);
  });
  const auto ms = some<u32>(7 * 16, 1, 100, 3), cs = some<u32>(7 * 16, 0, 100, 4);
  const auto tm = Tensor<u32, 2>::from_host(device, {7, 16}, ms), tc = Tensor<u32, 2>::from_host(device, {7, 16}, cs);
  std::vector<u32> wm, wc;
  for (int r = 0; r < 7; ++r) {
    u32 m = 1, c = 0;
    for (int i = 0; i < 16; ++i) {
      c = c * ms[r * 16 + i] + cs[r * 16 + i];
      m *= ms[r * 16 + i];
    }
    wm.push_back(m);
    wc.push_back(c);
  }
  const auto [m, c] = k(Tensor<u32, 2>::zeros(device, {7, 1}), Tensor<u32, 2>::zeros(device, {7, 1}), tm, tc).sync();
  expect_same(m.to_host(), wm);
  expect_same(c.to_host(), wc);
}

// Welford's merge: three operands of different element types.
TEST(ReduceBy, ThreeTilesOfSeveralTypes) {
  const Device device = test_device();
  auto k = kernel("moments", [](Out<f32, 1> count, Out<f64, 1> mean, Out<f64, 1> m2, In<f64, 64> x) {
    auto [n, m, s] =
        reduce<0>(std::tuple{ones<f32, 64>(), x(0), zeros<f64, 64>()}, [](auto na, auto ma, auto sa, auto nb, auto mb, auto sb) {
          auto all = na + nb;
          auto d = mb - ma;
          auto share = cast<f64>(nb) / cast<f64>(all);
          return std::tuple{all, ma + d * share, sa + sb + d * d * cast<f64>(na) * share};
        });
    count.store(n);
    mean.store(m);
    m2.store(s);
  });
  const auto host = some<f64>(64, -50, 50);
  const auto x = Tensor<f64, 1>::from_host(device, {64}, host);
  const auto [n, m, s] =
      k(Tensor<f32, 1>::zeros(device, {1}), Tensor<f64, 1>::zeros(device, {1}), Tensor<f64, 1>::zeros(device, {1}), x).sync();
  double mean = 0, squares = 0;
  for (double v : host)
    mean += v / 64;
  for (double v : host)
    squares += (v - mean) * (v - mean);
  EXPECT_EQ(n.to_host()[0], 64);
  EXPECT_NEAR(m.to_host()[0], mean, 1e-10);
  EXPECT_NEAR(s.to_host()[0], squares, 1e-8);
}

TEST(Reduce, AnAxisOfOneElement) {
  const auto x = some<f32>(8, -9, 9);
  expect_same((From<8, 1>::To<f32, 8, 1>::run([](auto t) { return sum<1>(t); }, x)), x);
  expect_same((From<8, 1>::To<i32, 8, 1>::run([](auto t) { return argmax<1>(t); }, x)), std::vector<i32>(8, 0));
  expect_same((From<8, 1>::To<f32, 8, 1>::run([](auto t) { return reduce<1>(t, [](auto a, auto b) { return a * b; }); }, x)), x);
}

} // namespace
} // namespace tegula::test
