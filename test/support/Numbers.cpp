#include "test/support/Numbers.h"

#include <cmath>
#include <limits>

namespace tegula::test {

namespace {

struct FloatFormat {
  int exponent_bits, mantissa_bits;
  bool has_infinity = true; // otherwise all ones is NaN, and the rest of the last exponent are numbers

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int smallest_exponent() const { return 1 - bias(); }
  std::uint64_t last_exponent() const { return (std::uint64_t{1} << exponent_bits) - 1; }
  std::uint64_t mantissa_mask() const { return (std::uint64_t{1} << mantissa_bits) - 1; }
  std::uint64_t infinity() const { return last_exponent() << mantissa_bits; }
  std::uint64_t nan() const {
    return has_infinity ? infinity() | std::uint64_t{1} << (mantissa_bits - 1) : infinity() | mantissa_mask();
  }
  std::uint64_t largest() const { return (has_infinity ? infinity() : nan()) - 1; }
  std::uint64_t sign() const { return std::uint64_t{1} << (exponent_bits + mantissa_bits); }
};

FloatFormat format_of(DType t) {
  switch (t) {
  case DType::f64:
    return {11, 52};
  case DType::f32:
    return {8, 23};
  case DType::f16:
    return {5, 10};
  case DType::bf16:
    return {8, 7};
  case DType::f8e4m3:
    return {4, 3, false};
  default:
    return {5, 2};
  }
}

// f8e8m0: powers of two from 2^-127 to 2^127, and NaN.
std::uint64_t encode_scale(Real x, Rounding rounding) {
  if (std::isnan(x) || x < 0)
    return 255;
  const Real smallest = std::ldexp(1.0L, -127), largest = std::ldexp(1.0L, 127);
  x = std::fmin(std::fmax(x, smallest), largest);
  const int exponent = std::ilogb(x);
  const Real below = std::ldexp(1.0L, exponent);
  const bool up = rounding == Rounding::up ? x > below : rounding == Rounding::nearest_even && x - below >= below / 2;
  return static_cast<std::uint64_t>(exponent + 127 + (up ? 1 : 0));
}

} // namespace

Real decode(DType t, std::uint64_t bits) {
  if (t == DType::f8e8m0)
    return bits == 255 ? std::numeric_limits<Real>::quiet_NaN() : std::ldexp(1.0L, static_cast<int>(bits) - 127);
  FloatFormat f = format_of(t);
  Real sign = bits & f.sign() ? -1 : 1;
  std::uint64_t exponent = bits >> f.mantissa_bits & f.last_exponent(), mantissa = bits & f.mantissa_mask();
  std::uint64_t magnitude = bits & (f.sign() - 1);
  if (f.has_infinity ? magnitude > f.infinity() : magnitude == f.nan())
    return std::numeric_limits<Real>::quiet_NaN();
  if (f.has_infinity && magnitude == f.infinity())
    return sign * std::numeric_limits<Real>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(static_cast<Real>(mantissa), f.smallest_exponent() - f.mantissa_bits);
  return sign * std::ldexp(static_cast<Real>(mantissa | std::uint64_t{1} << f.mantissa_bits),
                           static_cast<int>(exponent) - f.bias() - f.mantissa_bits);
}

Real round_to_integer(Real x, Rounding rounding) {
  switch (rounding) {
  case Rounding::toward_zero:
    return std::trunc(x);
  case Rounding::down:
    return std::floor(x);
  case Rounding::up:
    return std::ceil(x);
  case Rounding::nearest_even:
    break;
  }
  Real below = std::floor(x), rest = x - below;
  bool up = rest > 0.5L || (rest == 0.5L && std::fmod(below, 2.0L) != 0);
  return std::copysign(up ? below + 1 : below, x);
}

Real ulp(DType t, Real at) {
  if (t == DType::f8e8m0)
    return round_to(t, std::isfinite(at) ? std::fabs(at) : 0, Rounding::down);
  FloatFormat f = format_of(t);
  int exponent = at == 0 || !std::isfinite(at) ? f.smallest_exponent() : std::max(std::ilogb(at), f.smallest_exponent());
  return std::ldexp(1.0L, exponent - f.mantissa_bits);
}

std::uint64_t encode(DType t, Real x, Rounding rounding) {
  if (t == DType::f8e8m0)
    return encode_scale(x, rounding);
  FloatFormat f = format_of(t);
  std::uint64_t sign = std::signbit(x) ? f.sign() : 0;
  std::uint64_t overflow = f.has_infinity ? f.infinity() : f.nan();
  if (std::isnan(x))
    return f.nan();
  if (std::isinf(x))
    return sign | overflow;
  Real rounded = round_to_integer(x / ulp(t, x), rounding) * ulp(t, x), magnitude = std::fabs(rounded);
  if (magnitude > decode(t, f.largest())) {
    bool stays = rounding == Rounding::toward_zero || (rounding == Rounding::down && !sign) || (rounding == Rounding::up && sign);
    return sign | (stays ? f.largest() : overflow);
  }
  Real unit = ulp(t, magnitude);
  std::uint64_t steps = static_cast<std::uint64_t>(magnitude / unit); // the mantissa, with its hidden bit
  if (steps <= f.mantissa_mask())
    return sign | steps;
  std::uint64_t exponent = static_cast<std::uint64_t>(std::ilogb(magnitude) + f.bias());
  return sign | exponent << f.mantissa_bits | (steps & f.mantissa_mask());
}

Real round_to(DType t, Real x, Rounding rounding) { return decode(t, encode(t, x, rounding)); }
Real largest_finite(DType t) { return t == DType::f8e8m0 ? decode(t, 254) : decode(t, format_of(t).largest()); }

Whole lowest(DType t) { return is_signed(t) ? -(Whole{1} << (bits_of(t) - 1)) : Whole{0}; }
Whole highest(DType t) { return (Whole{1} << (bits_of(t) - (is_signed(t) ? 1 : 0))) - 1; }

Whole decode_integer(DType t, std::uint64_t bits) {
  Whole value = bits;
  return value > highest(t) ? value - (Whole{1} << bits_of(t)) : value;
}

std::uint64_t encode_integer(DType t, Whole value) {
  return static_cast<std::uint64_t>(value) & static_cast<std::uint64_t>((Whole{1} << bits_of(t)) - 1);
}

} // namespace tegula::test
