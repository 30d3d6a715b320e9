/// \file
/// Angles as quarter turns and a rest.
#pragma once

#include "lib/device/LargeAngles.h"

namespace tegula::device {

/// Below this magnitude the number of turns is small enough for the parts of pi/2 used here.
inline constexpr float few_turns = 100000;

/// `turns` times the first part of pi/2 is exact, and so is the difference: both numbers are multiples of the last place of that
/// part. So is what the second part leaves if it is so small that it matters.
inline QuarterTurns<float> quarter_turns(float x) {
  if (!(absolute(x) < few_turns)) [[unlikely]]
    return quarter_turns_of_large(x);
  NearestFloat n(x * 0x1.45f306p-1f);
  constexpr float first = 0x1.921fb4p0f, second = 0x1.4442d0p-24f, third = 0x1.84698ap-48f;
  float a = fma(n.value, -first, x), b = fma(n.value, -second, a), rest = fma(n.value, -third, b);
  // The low part, which not every caller needs, in another order: here nothing may be lost.
  Pair<float> product = product_exactly(n.value, second), difference = sum_exactly(a, -product.high);
  float low = fma(n.value, -third, (difference.high - rest) + (difference.low - product.low));
  return {n.integer(), {rest, low}};
}

inline QuarterTurns<double> quarter_turns(double x) {
  if (!(absolute(x) < few_turns)) [[unlikely]]
    return quarter_turns_of_large(x);
  NearestDouble n(x * 0x1.45f306dc9c883p-1);
  // The second has 33 bits, so that its product with `turns` is exact.
  constexpr double first = 0x1.921fb54442d18p0, second = 0x1.1a626331p-54, third = 0x1.1701b839a252p-88;
  Pair<double> a = sum_exactly(fma(n.value, -first, x), -n.value * second);
  Pair<double> b = sum_exactly(a.high, fma(n.value, -third, a.low));
  return {n.integer(), b};
}

} // namespace tegula::device
