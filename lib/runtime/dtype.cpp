// Conversions of the floats narrower than 32 bits.
#include "tegula/dtype.hpp"

#include <bit>

namespace tegula::detail {
namespace {

struct Layout {
  int exponent_bits, mantissa_bits;
  bool has_infinity; // if not, the largest encoding is NaN and the rest of its binade are numbers

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint32_t infinity() const { return ((1u << exponent_bits) - 1) << mantissa_bits; }
  constexpr std::uint32_t quiet_nan() const {
    return has_infinity ? infinity() | 1u << (mantissa_bits - 1) : (1u << (exponent_bits + mantissa_bits)) - 1;
  }
};

constexpr Layout layouts[] = {{5, 10, true}, {8, 7, true}, {4, 3, false}, {5, 2, true}};

// What f8e8m0 holds is the exponent field of a float, but that 0 is 2^-127, which a float has as a denormal.
constexpr std::uint32_t smallest_scale = 0x00400000, infinity = 0x7f800000;

std::uint16_t narrow_scale(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x == 0 ? 0.0f : x); // no sign of zero
  if (bits > infinity)
    return 255; // NaN, or a sign
  if (bits < 0x00800000)
    return bits >= smallest_scale + smallest_scale / 2 ? 1 : 0;
  const std::uint32_t nearest = (bits + 0x00400000) >> 23;
  return static_cast<std::uint16_t>(nearest < 254 ? nearest : 254);
}

float widen_scale(std::uint16_t bits) {
  return std::bit_cast<float>(bits == 0 ? smallest_scale : bits == 255 ? 0x7fc00000 : std::uint32_t{bits} << 23);
}

constexpr Layout layout_of(Format format) { return layouts[static_cast<int>(format)]; }

} // namespace

std::uint16_t narrow(Format format, float x) noexcept {
  if (format == Format::f8e8m0)
    return narrow_scale(x);
  const Layout to = layout_of(format);
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 31) << (to.exponent_bits + to.mantissa_bits);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const auto result = [sign](std::uint32_t encoding) { return static_cast<std::uint16_t>(sign | encoding); };
  if (magnitude > 0x7f800000)
    return result(to.quiet_nan());
  const std::uint32_t too_large = to.has_infinity ? to.infinity() : to.quiet_nan();
  if (magnitude == 0x7f800000)
    return result(too_large);

  const int field = static_cast<int>(magnitude >> 23);
  const int exponent = (field ? field : 1) - 127;
  const std::uint32_t mantissa = (magnitude & 0x7fffff) | (field ? 0x800000 : 0);
  const int smallest = 1 - to.bias(); // exponent of the smallest normal number
  const int shift = 23 - to.mantissa_bits + (exponent < smallest ? smallest - exponent : 0);
  if (shift > 25)
    return result(0); // less than half of the smallest number
  const std::uint32_t kept = mantissa >> shift, lost = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
  const std::uint32_t rounded = kept + (lost > half || (lost == half && (kept & 1)));
  // The leading bit of a normal number, and a carry out of rounding, each add one to the exponent field.
  const std::uint32_t encoding =
      (exponent > smallest ? static_cast<std::uint32_t>(exponent - smallest) << to.mantissa_bits : 0) + rounded;
  return result(encoding < too_large ? encoding : too_large);
}

float widen(Format format, std::uint16_t bits) noexcept {
  if (format == Format::f8e8m0)
    return widen_scale(bits);
  const Layout from = layout_of(format);
  const int width = from.exponent_bits + from.mantissa_bits;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> width & 1) << 31;
  const std::uint32_t magnitude = bits & ((1u << width) - 1);
  const auto result = [sign](std::uint32_t encoding) { return std::bit_cast<float>(sign | encoding); };
  const std::uint32_t mantissa = magnitude & ((1u << from.mantissa_bits) - 1);
  if (from.has_infinity ? magnitude > from.infinity() : magnitude == from.quiet_nan())
    return result(0x7fc00000 | mantissa << (23 - from.mantissa_bits));
  if (from.has_infinity && magnitude == from.infinity())
    return result(0x7f800000);

  const int field = static_cast<int>(magnitude >> from.mantissa_bits);
  if (field != 0)
    return result((static_cast<std::uint32_t>(field - from.bias() + 127) << 23) | mantissa << (23 - from.mantissa_bits));
  // Zero or subnormal: the mantissa counts units of the smallest number, a power of two that a float always holds.
  const int unit = 1 - from.bias() - from.mantissa_bits;
  const float scale =
      unit >= -126 ? std::bit_cast<float>(static_cast<std::uint32_t>(unit + 127) << 23) : std::bit_cast<float>(1u << (unit + 149));
  const float value = static_cast<float>(mantissa) * scale;
  return sign ? -value : value;
}

} // namespace tegula::detail
