/// \file
/// Payne and Hanek's reduction: of the product of x = m 2^e and 2/pi only the quadrant and the fraction are wanted. The bits of
/// 2/pi above 2^(2-e) contribute whole turns, and those far below it nothing.
#pragma once

#include "lib/device/Arithmetic.h"

namespace tegula::device {

/// x = turns * pi/2 + rest modulo 2 pi, |rest| < 0.79; `turns` counts modulo 4.
template <class T> struct QuarterTurns {
  i32 turns;
  Pair<T> rest;
};

/// A word of zeros, and the fraction of 2/pi, the first word the most significant.
inline constexpr u64 two_over_pi[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};

/// The 64 bits that begin with bit `position` of the table, counted from the top.
inline u64 bits_of_two_over_pi(i32 position) {
  i32 word = position / 64, shift = position % 64;
  return two_over_pi[word] << shift | two_over_pi[word + 1] >> 1 >> (63 - shift);
}

inline u64 high_product(u64 a, u64 b) { return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64); }

/// The first bit that does not contribute whole turns to m 2^e 2/pi, for e >= -62.
inline i32 first_bit(i32 e) { return e + 62; }

/// For x however large, but not small: infinity and NaN leave NaN. Not inlined, because almost never called.
[[gnu::noinline]] inline QuarterTurns<float> quarter_turns_of_large(float x) {
  if (!__builtin_isfinite(x))
    return {0, {nan_f, 0}};
  u32 b = bits(absolute(x));
  u64 m = (b & 0x7fffffu) | 0x800000u;
  i32 at = first_bit(static_cast<i32>(b >> 23) - 150);
  u64 turns = m * bits_of_two_over_pi(at) + high_product(m, bits_of_two_over_pi(at + 64)); // 2^62 is a quarter turn
  i64 fraction = static_cast<i64>(turns << 2);
  i32 quarters = static_cast<i32>(turns >> 62) + (fraction < 0);
  constexpr float unit = 0x1.921fb6p-64f, unit_rest = -0x1.777a5cp-89f; // pi/2 2^-64
  i64 leading = fraction & ~0x7fffffffffll;                             // 24 bits, and the sign
  float high = static_cast<float>(leading), low = static_cast<float>(fraction - leading);
  Pair<float> rest = product_exactly(high, unit);
  rest = sum_exactly(rest.high, fma(low, unit, fma(high, unit_rest, rest.low)));
  return x < 0 ? QuarterTurns<float>{-quarters, {-rest.high, -rest.low}} : QuarterTurns<float>{quarters, rest};
}

/// For x however large, but not small: infinity and NaN leave NaN. Not inlined, because almost never called.
[[gnu::noinline]] inline QuarterTurns<double> quarter_turns_of_large(double x) {
  if (!__builtin_isfinite(x))
    return {0, {nan, 0}};
  u64 b = bits(absolute(x));
  u64 m = (b & 0xfffffffffffffu) | 0x10000000000000u;
  i32 at = first_bit(static_cast<i32>(b >> 52) - 1075);
  unsigned __int128 turns = static_cast<unsigned __int128>(m * bits_of_two_over_pi(at)) << 64;
  turns += static_cast<unsigned __int128>(m) * bits_of_two_over_pi(at + 64);
  turns += high_product(m, bits_of_two_over_pi(at + 128));
  u64 upper = static_cast<u64>(turns >> 64), lower = static_cast<u64>(turns);
  i32 quarters = static_cast<i32>(upper >> 62) + static_cast<i32>(upper >> 61 & 1);
  i64 fraction = static_cast<i64>(upper << 2 | lower >> 62);
  i64 leading = fraction & ~0x7ffll; // 53 bits, and the sign
  double high = static_cast<double>(leading);
  double low = static_cast<double>(fraction - leading) + static_cast<double>(lower << 2) * 0x1p-64;
  constexpr double unit = 0x1.921fb54442d18p-64, unit_rest = 0x1.1a62633145c07p-118; // pi/2 2^-64
  Pair<double> rest = product_exactly(high, unit);
  rest = sum_exactly(rest.high, fma(low, unit, fma(high, unit_rest, rest.low)));
  return x < 0 ? QuarterTurns<double>{-quarters, {-rest.high, -rest.low}} : QuarterTurns<double>{quarters, rest};
}

} // namespace tegula::device
