#include "tools/ptxemu/Formats.h"

#include <bit>

namespace ptxemu {

std::uint32_t Format::largest() const { return infinite ? infinity() - 1 : not_a_number() - 1; }

double decode(std::uint32_t bits, const Format& format) {
  std::uint32_t mantissa = bits & ((1U << format.mantissa_bits) - 1);
  auto exponent = static_cast<int>(bits >> format.mantissa_bits & ((1U << format.exponent_bits) - 1));
  double sign = bits >> (format.bits() - 1) & 1 ? -1 : 1;
  if (format.infinite && exponent == (1 << format.exponent_bits) - 1)
    return mantissa ? std::nan("") : sign * INFINITY;
  if (!format.infinite && (bits & format.not_a_number()) == format.not_a_number())
    return std::nan("");
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - format.bias() - format.mantissa_bits);
  return sign * std::ldexp(mantissa + (1U << format.mantissa_bits), exponent - format.bias() - format.mantissa_bits);
}

std::uint32_t encode(double value, const Format& format, Round round, bool saturate) {
  if (std::isnan(value))
    return format.not_a_number();
  auto bits = std::bit_cast<std::uint64_t>(value);
  bool negative = bits >> 63;
  std::uint32_t sign = std::uint32_t(negative) << (format.bits() - 1);
  if (value == 0)
    return sign;
  bool up = round == Round::up ? !negative : round == Round::down && negative; // away from zero
  auto overflow = [&]() -> std::uint32_t {
    bool to_infinity = round == Round::nearest || round == Round::nearest_away || up;
    if (saturate || !format.infinite || !to_infinity)
      return sign | format.largest();
    return sign | format.infinity();
  };
  if (std::isinf(value))
    return saturate || !format.infinite ? sign | format.largest() : sign | format.infinity();

  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  std::uint64_t significand = bits & ((std::uint64_t(1) << 52) - 1);
  if (exponent == -1023) {
    int shift = std::countl_zero(significand) - 11;
    significand <<= shift;
    exponent = -1022 - shift;
  } else {
    significand |= std::uint64_t(1) << 52;
  }
  // The value is significand * 2^(exponent-52); the result will be kept * 2^quantum.
  int quantum = std::max(exponent, 1 - format.bias()) - format.mantissa_bits;
  int shift = std::min(quantum - (exponent - 52), 60);
  std::uint64_t kept = significand >> shift, rest = significand & ((std::uint64_t(1) << shift) - 1),
                half = std::uint64_t(1) << (shift - 1);
  bool more = round == Round::nearest        ? rest > half || (rest == half && (kept & 1))
              : round == Round::nearest_away ? rest >= half
                                             : up && rest;
  kept += more;
  if (kept >> (format.mantissa_bits + 1)) {
    kept >>= 1;
    ++quantum;
  }
  int field = kept >> format.mantissa_bits ? quantum + format.mantissa_bits + format.bias() : 0;
  if (field >= (1 << format.exponent_bits))
    return overflow();
  std::uint32_t code =
      std::uint32_t(field) << format.mantissa_bits | static_cast<std::uint32_t>(kept & ((1U << format.mantissa_bits) - 1));
  return code > format.largest() ? overflow() : sign | code;
}

double fused(double a, double b, double c) {
  double product = a * b; // exact for operands of up to 26 bits
  double sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  double other = sum - product;
  double error = (product - (sum - other)) + (c - other);
  if (error == 0 || (std::bit_cast<std::uint64_t>(sum) & 1))
    return sum;
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

float f16_to_float(std::uint16_t bits) {
  std::uint32_t sign = std::uint32_t(bits & 0x8000) << 16, rest = bits & 0x7fff;
  if (rest >= 0x7c00)
    return std::bit_cast<float>(rest > 0x7c00 ? canonical_nan : sign | 0x7f800000);
  if (rest >= 0x400)
    return std::bit_cast<float>(sign | ((rest << 13) + ((127U - 15U) << 23)));
  float value = static_cast<float>(rest) * 0x1p-24F;
  return sign ? -value : value;
}

} // namespace ptxemu
