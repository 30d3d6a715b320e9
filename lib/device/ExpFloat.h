/// \file
/// What the exponential functions of single precision share.
#pragma once

#include "lib/device/Hardware.h"

namespace tegula::device {

/// An integer n less than x * scale by about 0 to 1, within the exponents of normal numbers, and 2^n. So what n leaves of the
/// product is not negative, where the hardware is more exact; but of a product beyond those exponents it leaves more than an
/// exponent can hold, of which the hardware makes infinity or 0. NaN leaves NaN.
struct PowerBelow {
  PowerBelow(float x, float scale) : shifted(fma(saturated(fma(x, scale / 253, 125.4999f / 253)), 253, 0x1.8p23f + 1)) {}
  float exponent() const { return shifted - (0x1.8p23f + 127); }
  float value() const { return from_bits(bits(shifted) << 23); } // the last bits of `shifted` are n + 127
  float shifted;
};

/// 2^(x + low) for a low part that is small beside x.
inline float exp2_of(float x, float low) {
  PowerBelow power(x, 1);
  return approximate_exp2((x - power.exponent()) + low) * power.value();
}

} // namespace tegula::device
