/// \file
/// Bits of numbers, and sums and products without rounding error: what the functions of this folder are made of.
#pragma once

namespace tegula::device {

using i32 = int;
using u32 = unsigned;
using i64 = long long;
using u64 = unsigned long long;

inline constexpr float infinity_f = __builtin_inff();
inline constexpr float nan_f = __builtin_nanf("");
inline constexpr double infinity = __builtin_inf();
inline constexpr double nan = __builtin_nan("");

inline u32 bits(float x) { return __builtin_bit_cast(u32, x); }
inline u64 bits(double x) { return __builtin_bit_cast(u64, x); }
inline float from_bits(u32 x) { return __builtin_bit_cast(float, x); }
inline double from_bits(u64 x) { return __builtin_bit_cast(double, x); }

inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float absolute(float x) { return __builtin_fabsf(x); }
inline double absolute(double x) { return __builtin_fabs(x); }
inline float with_sign_of(float x, float sign) { return __builtin_copysignf(x, sign); }
inline double with_sign_of(double x, double sign) { return __builtin_copysign(x, sign); }
inline float truncated(float x) { return __builtin_truncf(x); }
inline double truncated(double x) { return __builtin_trunc(x); }

template <class T> bool is_nan(T x) { return __builtin_isnan(x); }
template <class T> bool is_infinite(T x) { return absolute(x) == T(infinity); }

/// x rounded to an integer by adding a number in whose neighbourhood only integers are; for |x| < 2^22 and 2^51.
struct NearestFloat {
  explicit NearestFloat(float x) : shifted(x + 0x1.8p23f), value(shifted - 0x1.8p23f) {}
  i32 integer() const { return static_cast<i32>(bits(shifted) - bits(0x1.8p23f)); }
  float shifted, value;
};
struct NearestDouble {
  explicit NearestDouble(double x) : shifted(x + 0x1.8p52), value(shifted - 0x1.8p52) {}
  i32 integer() const { return static_cast<i32>(bits(shifted)); }
  double shifted, value;
};

/// 2^n for exponents of normal numbers.
template <class T> T power_of_two(i32 n) {
  if constexpr (sizeof(T) == 4)
    return from_bits(static_cast<u32>(n + 127) << 23);
  else
    return from_bits(static_cast<u64>(n + 1023) << 52);
}

/// x * 2^n, rounded once if x * 2^(n/2) is a normal number; n / 2 is the exponent of one.
template <class T> T scaled(T x, i32 n) { return x * power_of_two<T>(n >> 1) * power_of_two<T>(n - (n >> 1)); }

/// c[0] + c[1] x + ... + c[n-1] x^(n-1)
template <class T, int n> T polynomial(T x, const T (&c)[n]) {
  T result = c[n - 1];
#pragma unroll
  for (int i = n - 2; i >= 0; --i)
    result = fma(result, x, c[i]);
  return result;
}

/// A number as the sum of two, the second at most half a unit in the last place of the first.
template <class T> struct Pair {
  T high, low;
};

/// a + b exactly; if `a` is zero or not smaller than `b` in magnitude, the cheaper one.
template <class T> Pair<T> sum_exactly(T a, T b) {
  T high = a + b, part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}
template <class T> Pair<T> sum_of_ordered(T a, T b) {
  T high = a + b;
  return {high, b - (high - a)};
}
template <class T> Pair<T> product_exactly(T a, T b) {
  T high = a * b;
  return {high, fma(a, b, -high)};
}

} // namespace tegula::device
