#pragma once

// Floating-point formats smaller than a double, and exact rounding to them.

#include <cmath>
#include <cstdint>

#include "tools/ptxemu/Type.h"

namespace ptxemu {

struct Format {
  int exponent_bits, mantissa_bits;
  bool infinite = true; // false: no infinities, and only the largest code is not a number (e4m3)
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int bits() const { return 1 + exponent_bits + mantissa_bits; }
  std::uint32_t largest() const; // finite
  std::uint32_t not_a_number() const { return (1U << (bits() - 1)) - 1; }
  std::uint32_t infinity() const { return ((1U << exponent_bits) - 1) << mantissa_bits; }
};

constexpr Format f16_format{5, 10}, bf16_format{8, 7}, f32_format{8, 23}, tf32_format{8, 10}, e4m3_format{4, 3, false},
    e5m2_format{5, 2};

double decode(std::uint32_t bits, const Format& format);
// NaN becomes the format's canonical one. saturate: too large values become the largest.
std::uint32_t encode(double value, const Format& format, Round round = Round::nearest, bool saturate = false);
// a * b + c without double rounding when it is then encoded in f16, bf16 or f32: rounded to odd.
double fused(double a, double b, double c);

float f16_to_float(std::uint16_t bits);
inline float bf16_to_float(std::uint16_t bits) { return __builtin_bit_cast(float, std::uint32_t(bits) << 16); }

constexpr std::uint32_t canonical_nan = 0x7fffffff;

} // namespace ptxemu
