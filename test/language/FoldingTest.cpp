// What the compiler may simplify must mean the same: constants, and operations with neutral elements.
#include "Language.h"

namespace tegula::test {
namespace {

/// Runs F on constants, as scalars and as tiles, and on the same numbers read from memory: all must agree in every bit.
template <class T, class U, class F> void check_constants(F f) {
  SCOPED_TRACE(name(dtype_of<T>::value));
  using L = std::numeric_limits<T>;
  static const std::vector<T> numbers = [] {
    if constexpr (std::is_integral_v<T>)
      return std::vector<T>{0, 3, static_cast<T>(-1), static_cast<T>(-7), L::min(), L::max()};
    else
      return list<T>({0, -0.0, -1.5, 0.1, INFINITY, NAN});
  }();
  auto k = kernel("constants", [](Out<U, 64> scalars, Out<U, 64> tiles) {
    const auto at = iota<64>();
    auto s = zeros<U, 64>(), t = s;
    int n = 0;
    for (T x : numbers)
      for (T y : numbers) {
        s = select(at == n, F{}(Scalar<T>(x), Scalar<T>(y)), s);
        t = select(at == n, F{}(full<T, 64>(x), full<T, 64>(y)), t);
        ++n;
      }
    scalars.store(s);
    tiles.store(t);
  });
  std::vector<T> a, b;
  for (T x : numbers)
    for (T y : numbers) {
      a.push_back(x);
      b.push_back(y);
    }
  const auto loaded = each<U>(f, a, b);
  const Device device = test_device();
  const auto make = [&] { return Tensor<U, 1>::zeros(device, {36}); };
  const auto [scalars, tiles] = k(make(), make()).sync();
  expect_same(scalars.to_host(), loaded);
  expect_same(tiles.to_host(), loaded);
}

template <class T> void check_arithmetic() {
  check_constants<T, T>([](auto x, auto y) { return x + y; });
  check_constants<T, T>([](auto x, auto y) { return x - y; });
  check_constants<T, T>([](auto x, auto y) { return x * y; });
  check_constants<T, T>([](auto x, auto y) { return x / y; });
  check_constants<T, T>([](auto x, auto y) { return x % y; });
  check_constants<T, T>([](auto x, auto y) { return maximum(x, -y); });
  check_constants<T, T>([](auto x, auto y) { return minimum(abs(x), y); });
  check_constants<T, bool>([](auto x, auto y) { return x < y || x == y; });
  check_constants<T, bool>([](auto x, auto y) { return x >= y && x != y; });
  check_constants<T, T>([](auto x, auto y) { return select(x <= y, y, x); });
  check_constants<T, i8>([](auto x, auto y) { return cast<i8>(x) + cast<i8>(y, saturate); });
  check_constants<T, f16>([](auto x, auto y) { return cast<f16>(x) - cast<f16>(y); });
}
TEST(Folding, Integers) {
  check_arithmetic<i32>();
  check_arithmetic<u8>();
  check_arithmetic<i64>();
  check_constants<i8, i8>([](auto x, auto y) { return (x << y) ^ (x >> y); });
  check_constants<u32, u32>([](auto x, auto y) { return ((x << y) | (x >> y)) & ~y; });
  check_constants<i64, i64>([](auto x, auto y) { return (x << y) ^ (x >> y); });
}
TEST(Folding, Floats) {
  check_arithmetic<f32>();
  check_arithmetic<f64>();
  check_arithmetic<bf16>();
}
TEST(Folding, FunctionsOfFloats) {
  check_constants<f32, f32>([](auto x, auto y) { return floor(x) + ceil(y); });
  check_constants<f32, f32>([](auto x, auto y) { return round(x) * trunc(y); });
  check_constants<f64, f64>([](auto x, auto y) { return sqrt(x) + sqrt(y); });
  check_constants<f32, i32>([](auto x, auto y) { return cast<i32>(x, Rounding::up) - cast<i32>(y, Rounding::down); });
  check_constants<f32, u32>([](auto x, auto y) { return bitcast<u32>(x) ^ bitcast<u32>(y); });
}

// x op a neutral or absorbing element, for numbers where the school's rules fail.
template <class T> void check_float_identities() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  const auto x = list<T>({0, -0.0, 1, -2.5, INFINITY, -INFINITY, NAN});
  const auto same = [&](auto f, auto reference) {
    expect_same(each<T>(f, x), map([&](T v) { return static_cast<T>(reference(number(v))); }, x));
  };
  same([](auto v) { return v + 0; }, [](double v) { return v + 0.0; });
  same([](auto v) { return v + -0.0; }, [](double v) { return v; });
  same([](auto v) { return v - 0; }, [](double v) { return v; });
  same([](auto v) { return 0 - v; }, [](double v) { return 0.0 - v; });
  same([](auto v) { return -0.0 - v; }, [](double v) { return -v; });
  same([](auto v) { return v * 0; }, [](double v) { return v * 0.0; });
  same([](auto v) { return v * 1; }, [](double v) { return v; });
  same([](auto v) { return v * -1; }, [](double v) { return -v; });
  same([](auto v) { return v - v; }, [](double v) { return v - v; });
  same([](auto v) { return v / v; }, [](double v) { return v / v; });
  same([](auto v) { return v / 1; }, [](double v) { return v; });
  same([](auto v) { return 0 / v; }, [](double v) { return 0.0 / v; });
  same([](auto v) { return v / 0; }, [](double v) { return v / 0.0; });
  same([](auto v) { return -(-v); }, [](double v) { return v; });
  same([](auto v) { return abs(-v); }, [](double v) { return std::abs(v); });
  same([](auto v) { return select(v == v, v, v + 1); }, [](double v) { return v; });
  same([](auto v) { return select(v < v, v, 7); }, [](double) { return 7.0; });
  same([](auto v) { return select(v <= v, v, 7); }, [](double v) { return v <= v ? v : 7.0; });
  same([](auto v) { return maximum(v, v) + minimum(v, v); }, [](double v) { return v + v; });
  same([](auto v) { return maximum(v, -INFINITY); }, [](double v) { return v; });
  same([](auto v) { return cast<T>(cast<f64>(v)); }, [](double v) { return v; });
  same([](auto v) { return select(!(v > 1), v, 3); }, [](double v) { return !(v > 1) ? v : 3.0; });
  same([](auto v) { return select(!(v <= 1), v, 3); }, [](double v) { return !(v <= 1) ? v : 3.0; });
}
TEST(Folding, FloatIdentities) {
  check_float_identities<f64>();
  check_float_identities<f32>();
  check_float_identities<f16>();
}

TEST(Folding, IntegerIdentities) {
  const std::vector<i32> x{0, 1, -1, 7, INT32_MIN, INT32_MAX};
  const auto zero = std::vector<i32>(6, 0);
  expect_same(each<i32>([](auto v) { return (v ^ v) + (v - v) + v * 0 + (v & 0) + v % 1 + (v << 32) + v / 0; }, x), zero);
  expect_same(each<i32>([](auto v) { return ((v | 0) & -1) + 0 - 0 + (v >> 0) - (v << 0) + v / 1 - v * 1; }, x), x);
  expect_same(each<i32>([](auto v) { return ~~v; }, x), x);
  expect_same(each<i32>([](auto v) { return v % 0; }, x), x);
  expect_same(each<i32>([](auto v) { return v % -1 + 0 / v; }, x), zero);
  expect_same(each<i32>([](auto v) { return v / -1; }, x), std::vector<i32>{0, -1, 1, -7, INT32_MIN, -INT32_MAX});
  expect_same(each<i32>([](auto v) { return cast<i32>(cast<i8>(v)); }, x), std::vector<i32>{0, 1, -1, 7, 0, -1});
  expect_same(each<i32>([](auto v) { return cast<i32>(cast<u16>(v)); }, x), std::vector<i32>{0, 1, 65535, 7, 0, 65535});
  expect_same(each<i32>([](auto v) { return v / 8 + v % 8 * 100; }, x), map([](i32 v) { return v / 8 + v % 8 * 100; }, x));
  expect_same(each<i32>([](auto v) { return bitcast<i32>(bitcast<u32>(v) / 8); }, x),
              map([](i32 v) { return static_cast<i32>(static_cast<u32>(v) / 8); }, x));
}

TEST(Folding, ShapesOfShapes) {
  const auto x = some<i32>(64, 0, 99);
  expect_same((From<8, 8>::To<i32, 8, 8>::run([](auto t) { return transpose(transpose(t)); }, x)), x);
  expect_same((From<8, 8>::To<i32, 8, 8>::run([](auto t) { return reshape<8, 8>(reshape<2, 32>(reshape<64>(t))); }, x)), x);
  expect_same(
      (From<8, 8>::To<i32, 8, 8>::run([](auto t) { return t + sum<0>(zeros<i32, 4, 8>()) + max<1>(full<i32, 8, 2>(0)); }, x)), x);
  expect_same((From<8, 8>::To<i32, 8, 8>::run([](auto t) { return t - transpose(broadcast<8, 8>(iota<8>())) + iota<8, 8>(0); }, x)),
              x);
  expect_same((From<8, 8>::To<i32, 8, 8>::run([](auto t) { return t + reshape<8, 1>(iota<8>()) - iota<8, 1>(0); }, x)), x);
  expect_same((From<8, 8>::To<i32, 8, 8>::run([](auto t) { return t + sum<1>(iota<8, 4>(1)) - 6; }, x)), x);
  expect_same((From<8, 8>::To<i32, 8, 8>::run([](auto t) { return t + prod<1>(full<i32, 8, 4>(3)) - 81; }, x)), x);
  expect_same((From<8, 8>::To<i32, 8, 8>::run([](auto t) { return t + cumsum<1>(ones<i32, 8, 8>()) - iota<8, 8>(1) - 1; }, x)), x);
}

} // namespace
} // namespace tegula::test
