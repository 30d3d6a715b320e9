// Functions of floats.
#include "Language.h"

#include <bit>

namespace tegula::test {
namespace {

template <class T> const std::vector<T> any = list<T>(
    {-INFINITY, -1000, -80, -20.5, -7.25, -3.5, -2.5, -1.5, -1,   -0.75, -0.5, -0.25,    -1e-3, -0.0,    0, 1e-3, 0.1, 0.25,
     0.5,       0.75,  1,   1.5,   2.5,   3.5,  7.25, 10,   20.5, 80,    1000, INFINITY, NAN,   1.0 / 3, 2, 3,    -3,  0.9});
template <class T> const std::vector<T> angles = list<T>(
    {-20.5, -7.25, -3.5, -2.5, -1, -0.5, -1e-3, -0.0, 0, 1e-3, 0.1, 0.5, 1, 1.5, 1.625, 3, 3.25, 6, 50, 100, NAN, INFINITY});

// Each checks one function for all four types, with the tolerance in units of the last place.
#define TEGULA_FUNCTION(NAME, REFERENCE, INPUTS, ULPS)                                                                             \
  template <class T> void check_##NAME() {                                                                                         \
    SCOPED_TRACE(tegula::name(dtype_of<T>::value));                                                                                \
    std::vector<double> want;                                                                                                      \
    for (T element : INPUTS<T>) {                                                                                                  \
      const double x = number(element);                                                                                            \
      want.push_back(REFERENCE);                                                                                                   \
    }                                                                                                                              \
    expect_close(each<T>([](auto x) { return NAME(x); }, INPUTS<T>), want, ULPS);                                                  \
  }                                                                                                                                \
  TEST(Math, NAME) {                                                                                                               \
    check_##NAME<f64>();                                                                                                           \
    check_##NAME<f32>();                                                                                                           \
    check_##NAME<f16>();                                                                                                           \
    check_##NAME<bf16>();                                                                                                          \
  }

TEGULA_FUNCTION(exp, std::exp(x), any, 4)
TEGULA_FUNCTION(exp2, std::exp2(x), any, 4)
TEGULA_FUNCTION(expm1, std::expm1(x), any, 4)
TEGULA_FUNCTION(log, std::log(x), any, 4)
TEGULA_FUNCTION(log2, std::log2(x), any, 4)
TEGULA_FUNCTION(log1p, std::log1p(x), any, 4)
TEGULA_FUNCTION(sqrt, std::sqrt(x), any, 0.5)
TEGULA_FUNCTION(rsqrt, 1 / std::sqrt(x), any, 2)
TEGULA_FUNCTION(sin, std::sin(x), angles, 4)
TEGULA_FUNCTION(cos, std::cos(x), angles, 4)
TEGULA_FUNCTION(tan, std::tan(x), angles, 4)
TEGULA_FUNCTION(tanh, std::tanh(x), any, 4)
TEGULA_FUNCTION(erf, std::erf(x), any, 4)
TEGULA_FUNCTION(sigmoid, 1 / (1 + std::exp(-x)), any, 4)
TEGULA_FUNCTION(floor, std::floor(x), any, 0)
TEGULA_FUNCTION(ceil, std::ceil(x), any, 0)
TEGULA_FUNCTION(round, std::nearbyint(x), any, 0)
TEGULA_FUNCTION(trunc, std::trunc(x), any, 0)
TEGULA_FUNCTION(abs, std::abs(x), any, 0)

template <class T> const std::vector<T> wide_range =
    list<T>({-INFINITY, -3e38, -60000, -700, -90, -44.25, -37.9, -20,  -19.9, -1.25, -1, -1e-5, -0.0,  0,   1e-5, 1e-3,     0.25,
             0.999,     1,     1.001,  2,    4.5, 19.9,   20,    20.1, 37.9,  44.25, 90, 700,   60000, 1e9, 3e38, INFINITY, NAN});
TEGULA_FUNCTION(asin, std::asin(x), any, 4)
TEGULA_FUNCTION(acos, std::acos(x), any, 4)
TEGULA_FUNCTION(atan, std::atan(x), wide_range, 4)
TEGULA_FUNCTION(sinh, std::sinh(x), wide_range, 6)
TEGULA_FUNCTION(cosh, std::cosh(x), wide_range, 6)
TEGULA_FUNCTION(asinh, std::asinh(x), wide_range, 6)
TEGULA_FUNCTION(acosh, std::acosh(x), wide_range, 6)
TEGULA_FUNCTION(atanh, std::atanh(x), any, 6)
TEGULA_FUNCTION(cbrt, std::cbrt(x), wide_range, 4)
TEGULA_FUNCTION(log10, std::log10(x), wide_range, 4)
TEGULA_FUNCTION(exp10, std::pow(10.0, x), wide_range, 6)

template <class T> void check_bits_of_floats() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  const std::vector<T> numbers = list<T>({-INFINITY, -2, -0.0, 0, 1, INFINITY, NAN});
  std::vector<double> kinds;
  for (const T element : numbers) {
    const double x = number(element);
    kinds.push_back((std::isnan(x) ? 1 : 0) + (std::isinf(x) ? 2 : 0) + (std::isfinite(x) ? 4 : 0));
  }
  const auto kind = [](auto x) { return cast<T>(cast<i32>(isnan(x)) + cast<i32>(isinf(x)) * 2 + cast<i32>(isfinite(x)) * 4); };
  expect_close(each<T>(kind, numbers), kinds, 0);
  expect_close(each<T>([](auto x) { return copysign(x * 0 + 3, x); }, list<T>({-2, -0.0, 0, 1})), {-3, -3, 3, 3}, 0);
}
TEST(Math, KindsAndSigns) {
  check_bits_of_floats<f64>();
  check_bits_of_floats<f32>();
}

template <class T> void check_bits() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  using U = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  std::vector<T> a, b;
  for (const U x : {U{0}, U{1}, U{2}, U{3}, static_cast<U>(~U{0}), static_cast<U>(~U{0} >> 1),
                    static_cast<U>(U{1} << (sizeof(T) * 8 - 1)), static_cast<U>(0xA5), static_cast<U>(0x1234567890ABCDEF)})
    for (const U y : {U{0}, U{1}, static_cast<U>(~U{0}), static_cast<U>(~U{0} >> 1), static_cast<U>(U{1} << (sizeof(T) * 8 - 1)),
                      static_cast<U>(0xFEDCBA0987654321)}) {
      a.push_back(static_cast<T>(x));
      b.push_back(static_cast<T>(y));
    }
  std::vector<double> ones, zeros;
  std::vector<T> high;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ones.push_back(std::popcount(static_cast<U>(a[i])));
    zeros.push_back(std::countl_zero(static_cast<U>(a[i])));
    high.push_back(static_cast<T>((static_cast<Wide>(a[i]) * static_cast<Wide>(b[i])) >> (sizeof(T) * 8)));
  }
  EXPECT_EQ(each<T>([](auto x) { return cast<T>(popcount(x)); }, a), std::vector<T>(ones.begin(), ones.end()));
  EXPECT_EQ(each<T>([](auto x) { return cast<T>(clz(x)); }, a), std::vector<T>(zeros.begin(), zeros.end()));
  EXPECT_EQ(each<T>([](auto x, auto y) { return mulhi(x, y); }, a, b), high);
}
TEST(Math, BitsOfIntegers) {
  check_bits<i64>();
  check_bits<u64>();
  check_bits<i32>();
  check_bits<u32>();
  check_bits<i16>();
  check_bits<u16>();
  check_bits<i8>();
  check_bits<u8>();
}

template <class T> void check_two() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  std::vector<T> a, b;
  for (double x : {-3.0, -1.5, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 3.75})
    for (double y : {-2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0}) {
      a.push_back(T(x));
      b.push_back(T(y));
    }
  const auto reference = [&](auto f) {
    std::vector<double> r;
    for (std::size_t i = 0; i < a.size(); ++i)
      r.push_back(f(number(a[i]), number(b[i])));
    return r;
  };
  expect_close(each<T>([](auto x, auto y) { return pow(x, y); }, a, b),
               reference([](double x, double y) { return std::pow(x, y); }), 4);
  expect_close(each<T>([](auto y, auto x) { return atan2(y, x); }, a, b),
               reference([](double y, double x) { return std::atan2(y, x); }), 4);
  expect_close(each<T>([](auto x) { return pow(x, 3); }, a), reference([](double x, double) { return x * x * x; }), 4);
  expect_close(each<T>([](auto y) { return pow(2, y); }, b), reference([](double, double y) { return std::exp2(y); }), 4);
  expect_close(each<T>([](auto x) { return atan2(1, x); }, b), reference([](double, double x) { return std::atan2(1, x); }), 4);
  expect_close(each<T>([](auto y) { return atan2(y, -1.0); }, a), reference([](double y, double) { return std::atan2(y, -1); }), 4);
}
TEST(Math, PowAndAtan2) {
  check_two<f64>();
  check_two<f32>();
  check_two<f16>();
  check_two<bf16>();
}

TEST(Math, FmaRoundsOnce) {
  // a * b needs twice the bits, and c cancels the upper half.
  const std::vector<f32> a{1 + 0x1p-23f, 3, 1e20f}, b{1 + 0x1p-23f, 4, 1e20f}, c{-1 - 0x1p-22f, 5, -INFINITY};
  expect_same(each<f32>([](auto x, auto y, auto z) { return fma(x, y, z); }, a, b, c), std::vector<f32>{0x1p-46f, 17, -INFINITY});
  const std::vector<f64> d{1 + 0x1p-52}, e{-1 - 0x1p-51};
  expect_same(each<f64>([](auto x, auto z) { return fma(x, x, z); }, d, e), std::vector<f64>{0x1p-104});
  const auto h = list<f16>({1 + 0x1p-10}), g = list<f16>({-1 - 0x1p-9});
  expect_same(each<f16>([](auto x, auto z) { return fma(x, x, z); }, h, g), list<f16>({0x1p-20}));
  expect_same(each<f32>([](auto x) { return fma(2, x, 1); }, a), std::vector<f32>{2 * (1 + 0x1p-23f) + 1, 7, 2e20f});
  expect_same(each<f32>([](auto x) { return fma(x, 0.5, x); }, b), map([](f32 x) { return x * 0.5f + x; }, b));
}

// Scalars take the same way through other code.
TEST(Math, ScalarsInside) {
  const Device device = test_device();
  auto k = kernel("scalars", [](Out<f64, 8> y, Scalar<f64> s, Scalar<f32> t) {
    auto r = zeros<f64, 8>();
    r = insert(r, full<f64, 1>(exp(s)), 0);
    r = insert(r, full<f64, 1>(sqrt(s) + log(s)), 1);
    r = insert(r, full<f64, 1>(cast<f64>(tanh(t))), 2);
    r = insert(r, full<f64, 1>(pow(s, 1.5)), 3);
    r = insert(r, full<f64, 1>(fma(s, s, 1)), 4);
    r = insert(r, full<f64, 1>(cast<f64>(round(t) + floor(t) * 10 + ceil(t) * 100)), 5);
    r = insert(r, full<f64, 1>(erf(s) + sigmoid(s)), 6);
    r = insert(r, full<f64, 1>(atan2(s, -s)), 7);
    y.store(r);
  });
  const double s = 1.75, t = 2.5;
  const auto got = k(Tensor<f64, 1>::zeros(device, {8}), s, t).sync().to_host();
  const std::vector<double> want{std::exp(s),  std::sqrt(s) + std::log(s),           std::tanh(t),     std::pow(s, 1.5), s * s + 1,
                                 2 + 20 + 300, std::erf(s) + 1 / (1 + std::exp(-s)), std::atan2(s, -s)};
  for (int i = 0; i < 8; ++i)
    EXPECT_NEAR(got[i], want[i], i == 2 ? 1e-6 : 1e-13) << i;
}

} // namespace
} // namespace tegula::test
