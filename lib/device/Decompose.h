/// \file
/// A positive number as a power of two and a factor near 1, for logarithms.
#pragma once

#include "lib/device/Hardware.h"

namespace tegula::device {

/// x = 2^exponent * factor, low <= factor < 2 low; for finite x > 0 and 1/2 <= low <= 1.
template <class T> struct Decomposed {
  T exponent, factor;
};

/// n as a number, without the hardware's conversion, which is slow.
inline float small_integer(i32 n) { return from_bits(bits(0x1.8p23f) + static_cast<u32>(n)) - 0x1.8p23f; }

inline Decomposed<float> decomposed(float x, float low) {
  bool is_subnormal = x < 0x1p-126f;
  u32 b = bits(is_subnormal ? x * 0x1p23f : x);
  u32 shifted = (b - bits(low)) & 0xff800000u;
  return {small_integer(static_cast<i32>(shifted) >> 23) - (is_subnormal ? 23.0f : 0.0f), from_bits(b - shifted)};
}

inline Decomposed<double> decomposed(double x, double low) {
  bool is_subnormal = x < 0x1p-1022;
  u64 b = bits(is_subnormal ? x * 0x1p52 : x);
  u64 shifted = (b - bits(low)) & 0xfff0000000000000u;
  i32 exponent = static_cast<i32>(static_cast<i64>(shifted) >> 52) - (is_subnormal ? 52 : 0);
  return {static_cast<double>(exponent), from_bits(b - shifted)};
}

/// The quotient s = f / (2 + f), for which log(1 + f) = 2 atanh(s); to about twice the digits of T.
template <class T> Pair<T> log_argument(Pair<T> f) {
  T sum = 2 + f.high, sum_low = (f.high - (sum - 2)) + f.low;
  T inverse = quick_reciprocal(sum), s = f.high * inverse;
  return {s, (fma(-s, sum_low, fma(-s, sum, f.high)) + f.low) * inverse};
}

inline bool is_positive_finite(float x) { return bits(x) - 1 < bits(infinity_f) - 1; }
inline bool is_positive_finite(double x) { return bits(x) - 1 < bits(infinity) - 1; }

/// What a logarithm with its pole at 0 makes of an x that is not a positive finite number: -infinity of 0, and NaN or infinity.
template <class T> T log_outside_domain(T x) { return x == 0 ? -T(infinity) : fma(x, T(infinity), T(infinity)); }

} // namespace tegula::device
