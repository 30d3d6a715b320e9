// Scans along an axis, in both directions, named and by a callable.
#include "Language.h"

namespace tegula::test {
namespace {

/// Scans each line of a 4×8×16 array along an axis.
template <int Axis, bool Reverse, class T, class F> std::vector<T> scanned(std::vector<T> x, F f) {
  constexpr int extents[] = {4, 8, 16}, strides[] = {128, 16, 1};
  constexpr int n = extents[Axis], stride = strides[Axis];
  for (int start = 0; start < 512; ++start) {
    if (start / stride % n != 0)
      continue;
    for (int i = 1; i < n; ++i) {
      if constexpr (Reverse)
        x[start + (n - 1 - i) * stride] = f(x[start + (n - i) * stride], x[start + (n - 1 - i) * stride]);
      else
        x[start + i * stride] = f(x[start + (i - 1) * stride], x[start + i * stride]);
    }
  }
  return x;
}

template <class T> using Same = typename From<4, 8, 16>::template To<T, 4, 8, 16>;

template <int Axis, class T> void check_axis() {
  SCOPED_TRACE(std::string(name(dtype_of<T>::value)) + " axis " + std::to_string(Axis));
  const auto x = some<T>(512, 0, 3);
  const auto odd = map([](T v) { return T(v + v + T(1)); }, x); // products of odd numbers never become 0
  const auto add = [](T a, T b) { return T(a + b); };
  const auto multiply = [](T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b)); // wraps
    else
      return T(a * b);
  };
  expect_same(Same<T>::run([](auto t) { return cumsum<Axis>(t); }, x), scanned<Axis, false>(x, add));
  expect_same(Same<T>::run([](auto t) { return cumsum<Axis>(t, reverse); }, x), scanned<Axis, true>(x, add));
  if (is_float(dtype_of<T>::value) && sizeof(T) < 8)
    return; // products would be rounded, in any order
  expect_same(Same<T>::run([](auto t) { return cumprod<Axis>(t); }, odd), scanned<Axis, false>(odd, multiply));
  expect_same(Same<T>::run([](auto t) { return cumprod<Axis>(t, reverse); }, odd), scanned<Axis, true>(odd, multiply));
}
template <class T> void check_axes() {
  check_axis<0, T>();
  check_axis<1, T>();
  check_axis<2, T>();
}
TEST(Scan, SumsAndProducts) {
  check_axes<f64>();
  check_axes<f32>();
  check_axes<f16>();
  check_axes<bf16>();
  check_axes<i64>();
  check_axes<i32>();
  check_axes<i16>();
  check_axes<i8>();
  check_axes<u64>();
  check_axes<u32>();
  check_axes<u16>();
  check_axes<u8>();
}

template <int Axis> void check_callable() {
  SCOPED_TRACE(Axis);
  const auto x = some<i32>(512, -9, 9);
  const auto largest = [](i32 a, i32 b) { return std::max(a, b); };
  expect_same(Same<i32>::run([](auto t) { return scan<Axis>(t, [](auto a, auto b) { return maximum(a, b); }); }, x),
              scanned<Axis, false>(x, largest));
  expect_same(Same<i32>::run([](auto t) { return scan<Axis>(t, [](auto a, auto b) { return maximum(a, b); }, reverse); }, x),
              scanned<Axis, true>(x, largest));
  // The last positive number so far: not commutative.
  const auto last = [](i32 a, i32 b) { return b > 0 ? b : a; };
  expect_same(Same<i32>::run([](auto t) { return scan<Axis>(t, [](auto a, auto b) { return select(b > 0, b, a); }); }, x),
              scanned<Axis, false>(x, last));
}
TEST(ScanBy, OneTile) {
  check_callable<0>();
  check_callable<1>();
  check_callable<2>();
}

/// A scan from the end sees the elements as if the axis were turned round: what is nearer to the end is the earlier element.
TEST(ScanBy, ReverseTurnsTheAxisRound) {
  const auto x = some<i32>(512, -9, 9);
  const auto last = [](i32 a, i32 b) { return b > 0 ? b : a; };
  expect_same(Same<i32>::run([](auto t) { return scan<2>(t, [](auto a, auto b) { return select(b > 0, b, a); }, reverse); }, x),
              scanned<2, true>(x, last));
}

// y[i] = m[i] y[i-1] + c[i] by composing affine maps.
TEST(ScanBy, LinearRecurrence) {
  const Device device = test_device();
  auto k = kernel("recurrence", [](Out<u32, 4, 32> y, Out<u32, 4, 32> p, In<u32, 4, 32> m, In<u32, 4, 32> c) {
    const auto affine = [](auto m1, auto c1, auto m2, auto c2) { return std::tuple{m1 * m2, c1 * m2 + c2}; };
    auto [slopes, values] = scan<1>(std::tuple{m[y], c[y]}, affine);
    auto [back, unused] = scan<1>(std::tuple{m[y], c[y]}, affine, reverse);
    y.store(values);
    p.store(back + 0 * slopes);
  });
  const auto hm = some<u32>(6 * 32, 1, 50, 5), hc = some<u32>(6 * 32, 0, 50, 6);
  const auto m = Tensor<u32, 2>::from_host(device, {6, 32}, hm), c = Tensor<u32, 2>::from_host(device, {6, 32}, hc);
  std::vector<u32> want(6 * 32), back(6 * 32);
  for (int r = 0; r < 6; ++r) {
    u32 y = 0, p = 1;
    for (int i = 0; i < 32; ++i) {
      want[r * 32 + i] = y = hm[r * 32 + i] * y + hc[r * 32 + i];
      back[r * 32 + 31 - i] = p = hm[r * 32 + 31 - i] * p;
    }
  }
  const auto make = [&] { return Tensor<u32, 2>::zeros(device, {6, 32}); };
  const auto [y, p] = k(make(), make(), m, c).sync();
  expect_same(y.to_host(), want);
  expect_same(p.to_host(), back);
}

} // namespace
} // namespace tegula::test
