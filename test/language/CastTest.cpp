// cast with rounding and saturation, bitcast.
#include "Language.h"

namespace tegula::test {
namespace {

const std::vector<f32> floats =
    list<f32>({0,      -0.0,  0.5, -0.5, 1.5,   -1.5,   2.5,   -2.5, 0.9999, -0.9999, 3.75,  -3.75,    100.25,    -100.25, 127.5,
               -128.5, 255.5, 300, -300, 40000, -40000, 70000, 1e10, -1e10,  1e20,    -1e20, INFINITY, -INFINITY, NAN});

template <class To> To saturated(double x) {
  using L = std::numeric_limits<To>;
  if (std::isnan(x))
    return 0;
  return x <= double(L::min()) ? L::min() : x >= double(L::max()) ? L::max() : static_cast<To>(x);
}

template <class To> void check_float_to() {
  SCOPED_TRACE(name(dtype_of<To>::value));
  const auto want = [](auto f) { return map([&](f32 x) { return saturated<To>(f(double(x))); }, floats); };
  expect_same(each<To>([](auto x) { return cast<To>(x); }, floats), want([](double x) { return std::trunc(x); }));
  expect_same(each<To>([](auto x) { return cast<To>(x, saturate); }, floats), want([](double x) { return std::trunc(x); }));
  expect_same(each<To>([](auto x) { return cast<To>(x, Rounding::nearest_even); }, floats),
              want([](double x) { return std::nearbyint(x); }));
  expect_same(each<To>([](auto x) { return cast<To>(x, Rounding::down); }, floats), want([](double x) { return std::floor(x); }));
  expect_same(each<To>([](auto x) { return cast<To>(x, Rounding::up); }, floats), want([](double x) { return std::ceil(x); }));
  expect_same(each<To>([](auto x) { return cast<To>(x, Rounding::toward_zero, saturate); }, floats),
              want([](double x) { return std::trunc(x); }));
  expect_same(each<To>([](auto x) { return cast<To>(cast<f64>(x)); }, floats), want([](double x) { return std::trunc(x); }));
}
TEST(Cast, FloatToInteger) {
  check_float_to<i64>();
  check_float_to<i32>();
  check_float_to<i16>();
  check_float_to<i8>();
  check_float_to<u64>();
  check_float_to<u32>();
  check_float_to<u16>();
  check_float_to<u8>();
}

template <class From, class To> void check_integers() {
  SCOPED_TRACE(std::string(name(dtype_of<From>::value)) + " to " + name(dtype_of<To>::value));
  using F = std::numeric_limits<From>;
  using L = std::numeric_limits<To>;
  const std::vector<From> x{
      0, 1, 127, From(128), From(255), From(-1), From(-128), From(-129), F::min(), F::max(), From(0x1234567890abcdef)};
  expect_same(each<To>([](auto v) { return cast<To>(v); }, x), map([](From v) { return static_cast<To>(v); }, x));
  expect_same(each<To>([](auto v) { return cast<To>(v, saturate); }, x),
              map(
                  [](From v) {
                    const __int128 w = v;
                    return w < L::min() ? L::min() : w > L::max() ? L::max() : To(v);
                  },
                  x));
}
template <class From, class... To> void check_from() { (check_integers<From, To>(), ...); }
TEST(Cast, IntegerToInteger) {
  check_from<i64, i32, i16, i8, u64, u32, u16, u8>();
  check_from<i32, i64, i16, i8, u64, u32, u16, u8>();
  check_from<i8, i64, i32, i16, u64, u32, u16, u8>();
  check_from<u64, i64, i32, i16, i8, u32, u16, u8>();
  check_from<u8, i64, i32, i16, i8, u64, u32, u16>();
  check_from<u16, i16, i8, u32>();
}

TEST(Cast, IntegerToFloat) {
  const std::vector<i64> x{0, 1, -1, 16777217, -16777217, 16777219, i64(1) << 62, (i64(1) << 53) + 1, INT64_MAX, INT64_MIN};
  expect_same(each<f64>([](auto v) { return cast<f64>(v); }, x), map([](i64 v) { return f64(v); }, x));
  expect_same(each<f32>([](auto v) { return cast<f32>(v); }, x), map([](i64 v) { return f32(v); }, x));
  const std::vector<u64> u{0, 1, 16777217, UINT64_MAX, u64(1) << 63, (u64(1) << 63) + 1025};
  expect_same(each<f64>([](auto v) { return cast<f64>(v); }, u), map([](u64 v) { return f64(v); }, u));
  expect_same(each<f32>([](auto v) { return cast<f32>(v); }, u), map([](u64 v) { return f32(v); }, u));
  const std::vector<i32> i{16777217, -16777217, 16777219};
  expect_same(each<f32>([](auto v) { return cast<f32>(v, Rounding::toward_zero); }, i),
              std::vector<f32>{16777216, -16777216, 16777218});
  expect_same(each<f32>([](auto v) { return cast<f32>(v, Rounding::down); }, i), std::vector<f32>{16777216, -16777218, 16777218});
  expect_same(each<f32>([](auto v) { return cast<f32>(v, Rounding::up); }, i), std::vector<f32>{16777218, -16777216, 16777220});
  const std::vector<i32> big{2049, 65519, 65520, -100000};
  expect_same(each<f16>([](auto v) { return cast<f16>(v); }, big), list<f16>({2048, 65504, INFINITY, -INFINITY}));
  expect_same(each<f16>([](auto v) { return cast<f16>(v, saturate); }, big), list<f16>({2048, 65504, 65504, -65504}));
}

TEST(Cast, FloatToNarrowerFloat) {
  const std::vector<f64> d{0.1, -0.1, 1 + 0x1p-24, 1 + 0x1p-24 + 0x1p-50, 1e39, -1e39, 1e-46, NAN};
  expect_same(each<f32>([](auto v) { return cast<f32>(v); }, d), map([](f64 v) { return f32(v); }, d));
  const std::vector<f32> x{0.1f,  -0.1f,    1 + 0x1p-11f, 1 + 3 * 0x1p-11f, 65504, 65519,   65520,
                           -1e6f, 0x1p-24f, 0x1p-25f,     0x1.8p-25f,       NAN,   INFINITY};
  expect_same(each<f16>([](auto v) { return cast<f16>(v); }, x), map([](f32 v) { return f16(v); }, x));
  expect_same(each<bf16>([](auto v) { return cast<bf16>(v); }, x), map([](f32 v) { return bf16(v); }, x));
  expect_same(each<f8e4m3>([](auto v) { return cast<f8e4m3>(v); }, x), map([](f32 v) { return f8e4m3(v); }, x));
  expect_same(each<f8e5m2>([](auto v) { return cast<f8e5m2>(v); }, x), map([](f32 v) { return f8e5m2(v); }, x));
  expect_same(each<f32>([](auto v) { return cast<f32>(cast<bf16>(v)); }, x), map([](f32 v) { return float(bf16(v)); }, x));
}

TEST(Cast, FloatToFloatWithRounding) {
  const std::vector<f32> x{1 + 0x1.8p-10f, -1 - 0x1.8p-10f, 1e6f, -1e6f};
  expect_same(each<f16>([](auto v) { return cast<f16>(v, Rounding::toward_zero); }, x),
              list<f16>({1 + 0x1p-10, -1 - 0x1p-10, 65504, -65504}));
  expect_same(each<f16>([](auto v) { return cast<f16>(v, Rounding::down); }, x),
              list<f16>({1 + 0x1p-10, -1 - 0x1p-9, 65504, -INFINITY}));
  expect_same(each<f16>([](auto v) { return cast<f16>(v, Rounding::up); }, x),
              list<f16>({1 + 0x1p-9, -1 - 0x1p-10, INFINITY, -65504}));
  expect_same(each<f16>([](auto v) { return cast<f16>(v, Rounding::up, saturate); }, x),
              list<f16>({1 + 0x1p-9, -1 - 0x1p-10, 65504, -65504}));
  const std::vector<f32> y{448, 464, 465, 1000, -1000, 57344, 61440, 1e9f};
  expect_same(each<f8e4m3>([](auto v) { return cast<f8e4m3>(v); }, y), list<f8e4m3>({448, 448, NAN, NAN, NAN, NAN, NAN, NAN}));
  expect_same(each<f8e4m3>([](auto v) { return cast<f8e4m3>(v, saturate); }, y),
              list<f8e4m3>({448, 448, 448, 448, -448, 448, 448, 448}));
  expect_same(each<f8e5m2>([](auto v) { return cast<f8e5m2>(v); }, y),
              list<f8e5m2>({448, 448, 448, 1024, -1024, 57344, INFINITY, INFINITY}));
  expect_same(each<f8e5m2>([](auto v) { return cast<f8e5m2>(v, saturate); }, y),
              list<f8e5m2>({448, 448, 448, 1024, -1024, 57344, 57344, 57344}));
}

TEST(Cast, EveryFp8NumberWidens) {
  std::vector<f8e4m3> a;
  std::vector<f8e5m2> b;
  for (int i = 0; i < 256; ++i) {
    a.push_back(f8e4m3::from_bits(static_cast<u8>(i)));
    b.push_back(f8e5m2::from_bits(static_cast<u8>(i)));
  }
  expect_same(each<f32>([](auto v) { return cast<f32>(v); }, a), map([](f8e4m3 v) { return float(v); }, a));
  expect_same(each<f32>([](auto v) { return cast<f32>(v); }, b), map([](f8e5m2 v) { return float(v); }, b));
  expect_same(each<f16>([](auto v) { return cast<f16>(v); }, b), map([](f8e5m2 v) { return f16(float(v)); }, b));
  expect_same(each<f8e4m3>([](auto v) { return cast<f8e4m3>(v); }, b), map([](f8e5m2 v) { return f8e4m3(float(v)); }, b));
}

TEST(Cast, EveryScaleWidens) {
  std::vector<f8e8m0> a;
  for (int i = 0; i < 256; ++i)
    a.push_back(f8e8m0::from_bits(static_cast<u8>(i)));
  expect_same(each<f32>([](auto v) { return cast<f32>(v); }, a), map([](f8e8m0 v) { return float(v); }, a));
  expect_same(each<f64>([](auto v) { return cast<f64>(v); }, a), map([](f8e8m0 v) { return f64(float(v)); }, a));
  expect_same(each<bf16>([](auto v) { return cast<bf16>(v); }, a), map([](f8e8m0 v) { return bf16(float(v)); }, a));
  expect_same(each<f8e8m0>([](auto v) { return cast<f8e8m0>(cast<bf16>(v)); }, a), a);
  expect_same(each<u8>([](auto v) { return bitcast<u8>(v); }, a), map([](f8e8m0 v) { return v.bits; }, a));
  expect_same(each<bool>([](auto v) { return v == v; }, a), map([](f8e8m0 v) { return v.bits != 255; }, a));
}

TEST(Cast, ToScales) {
  const std::vector<f32> x{1,          1.49f,     1.5f,        3,           0.75f,     0,           -0.0f,
                           -0x1p-149f, -1,        NAN,         INFINITY,    -INFINITY, 0x1p127f,    0x1.8p127f,
                           0x1p-127f,  0x1p-149f, 0x1.7p-127f, 0x1.8p-127f, 0x1p-126f, 0x1.8p-126f, 0x1.fffffep127f};
  expect_same(each<f8e8m0>([](auto v) { return cast<f8e8m0>(v); }, x), map([](f32 v) { return f8e8m0(v); }, x));
  const auto exponents = [](std::initializer_list<int> bits) {
    std::vector<f8e8m0> scales;
    for (int b : bits)
      scales.push_back(f8e8m0::from_bits(static_cast<u8>(b)));
    return scales;
  };
  expect_same(each<f8e8m0>([](auto v) { return cast<f8e8m0>(v); }, x),
              exponents({127, 127, 128, 129, 127, 0, 0, 255, 255, 255, 254, 255, 254, 254, 0, 0, 0, 1, 1, 2, 254}));
  expect_same(each<f8e8m0>([](auto v) { return cast<f8e8m0>(v, Rounding::toward_zero); }, x),
              exponents({127, 127, 127, 128, 126, 0, 0, 255, 255, 255, 254, 255, 254, 254, 0, 0, 0, 0, 1, 1, 254}));
  expect_same(each<f8e8m0>([](auto v) { return cast<f8e8m0>(v, Rounding::up); }, x),
              exponents({127, 128, 128, 129, 127, 0, 0, 255, 255, 255, 254, 255, 254, 254, 0, 0, 1, 1, 1, 2, 254}));
  const std::vector<i64> n{0, 1, 3, -1, (i64(1) << 62) + 1, INT64_MAX};
  expect_same(each<f8e8m0>([](auto v) { return cast<f8e8m0>(v); }, n), exponents({0, 127, 129, 255, 189, 190}));
  expect_same(each<f8e8m0>([](auto v) { return cast<f8e8m0>(v, Rounding::down); }, n), exponents({0, 127, 128, 255, 189, 189}));
}

TEST(Cast, Bool) {
  const auto x = list<f32>({0, -0.0, 0.25, -3, NAN, INFINITY});
  expect_same(each<bool>([](auto v) { return cast<bool>(v); }, x), Host<bool>{0, 0, 1, 1, 1, 1});
  expect_same(each<f32>([](auto v) { return cast<f32>(v < 1); }, x), std::vector<f32>{1, 1, 1, 1, 0, 0});
  expect_same(each<i8>([](auto v) { return cast<i8>(v < 1); }, x), std::vector<i8>{1, 1, 1, 1, 0, 0});
  const std::vector<i32> i{0, 256, -1};
  expect_same(each<bool>([](auto v) { return cast<bool>(v); }, i), Host<bool>{0, 1, 1});
}

TEST(Bitcast, KeepsTheBits) {
  const auto x = list<f32>({0, -0.0, 1, -1.5, 1e-40, INFINITY});
  const auto bits = map(
      [](f32 v) {
        u32 b;
        std::memcpy(&b, &v, 4);
        return b;
      },
      x);
  expect_same(each<u32>([](auto v) { return bitcast<u32>(v); }, x), bits);
  expect_same(each<f32>([](auto v) { return bitcast<f32>(v); }, bits), x);
  const std::vector<f64> d{1, -2.5, 1e-310};
  expect_same(each<i64>([](auto v) { return bitcast<i64>(v); }, d), map(
                                                                        [](f64 v) {
                                                                          i64 b;
                                                                          std::memcpy(&b, &v, 8);
                                                                          return b;
                                                                        },
                                                                        d));
  const auto h = list<f16>({1, -2.5, 1e-7});
  expect_same(each<bf16>([](auto v) { return bitcast<bf16>(v); }, h), map([](f16 v) { return bf16::from_bits(v.bits); }, h));
  expect_same(each<u16>([](auto v) { return bitcast<u16>(v); }, h), map([](f16 v) { return v.bits; }, h));
  const auto e = list<f8e4m3>({1, -2.5, 448});
  expect_same(each<i8>([](auto v) { return bitcast<i8>(v); }, e), map([](f8e4m3 v) { return static_cast<i8>(v.bits); }, e));
  expect_same(each<f8e5m2>([](auto v) { return bitcast<f8e5m2>(v); }, e),
              map([](f8e4m3 v) { return f8e5m2::from_bits(v.bits); }, e));
  expect_same(each<u32>([](auto v) { return bitcast<u32>(v) >> 31; }, x), std::vector<u32>{0, 1, 0, 1, 0, 0});
}

} // namespace
} // namespace tegula::test
