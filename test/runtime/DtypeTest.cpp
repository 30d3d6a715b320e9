// Narrow floats, exhaustively: against the definition of their formats, in double arithmetic.
#include "tegula/dtype.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace {

using tegula::detail::Format;
using tegula::detail::narrow;
using tegula::detail::widen;

struct Case {
  Format format;
  int exponent_bits, mantissa_bits;
  bool has_infinity;
  double largest;
};

const Case cases[] = {
    {Format::f16, 5, 10, true, 65504},
    {Format::bf16, 8, 7, true, 0x1.fep127},
    {Format::f8e4m3, 4, 3, false, 448},
    {Format::f8e5m2, 5, 2, true, 57344},
};

/// NaN and infinities included.
double value_of(const Case& c, unsigned bits) {
  const unsigned mantissa = bits & ((1u << c.mantissa_bits) - 1);
  const int exponent = static_cast<int>(bits >> c.mantissa_bits & ((1u << c.exponent_bits) - 1));
  const double sign = bits >> (c.mantissa_bits + c.exponent_bits) & 1 ? -1 : 1;
  const int bias = (1 << (c.exponent_bits - 1)) - 1, top = (1 << c.exponent_bits) - 1;
  if (c.has_infinity && exponent == top)
    return mantissa ? NAN : sign * INFINITY;
  if (!c.has_infinity && exponent == top && mantissa == (1u << c.mantissa_bits) - 1)
    return NAN;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - c.mantissa_bits);
  return sign * std::ldexp(mantissa + (1u << c.mantissa_bits), exponent - bias - c.mantissa_bits);
}

unsigned count_of(const Case& c) { return 1u << (1 + c.exponent_bits + c.mantissa_bits); }

TEST(Dtype, EveryEncodingWidensToItsValueAndBack) {
  for (const Case& c : cases)
    for (unsigned bits = 0; bits < count_of(c); ++bits) {
      const float wide = widen(c.format, static_cast<std::uint16_t>(bits));
      const double expected = value_of(c, bits);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(wide)) << bits;
        EXPECT_TRUE(std::isnan(widen(c.format, narrow(c.format, wide)))) << bits;
        continue;
      }
      ASSERT_EQ(wide, expected) << bits;
      ASSERT_EQ(std::signbit(wide), std::signbit(expected)) << bits;
      ASSERT_EQ(narrow(c.format, wide), bits);
    }
}

TEST(Dtype, BetweenNeighboursTheNearestWinsAndTiesGoToEven) {
  for (const Case& c : cases)
    for (unsigned bits = 0; bits + 1 < count_of(c) / 2; ++bits) {
      const double low = value_of(c, bits), high = value_of(c, bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      const float middle = static_cast<float>((low + high) / 2);
      ASSERT_EQ(middle, (low + high) / 2) << "a float holds every middle";
      ASSERT_EQ(narrow(c.format, middle), bits & 1 ? bits + 1 : bits) << low;
      ASSERT_EQ(narrow(c.format, std::nextafter(middle, 0.0f)), bits) << low;
      ASSERT_EQ(narrow(c.format, std::nextafter(middle, INFINITY)), bits + 1) << low;
      ASSERT_EQ(narrow(c.format, -std::nextafter(middle, INFINITY)), (bits + 1) | count_of(c) / 2) << low;
    }
}

TEST(Dtype, WhatIsTooLargeBecomesInfinityOrNaN) {
  for (const Case& c : cases) {
    const unsigned top = narrow(c.format, static_cast<float>(c.largest));
    ASSERT_EQ(value_of(c, top), c.largest);
    const double step = c.largest - value_of(c, top - 1);
    const float limit = static_cast<float>(c.largest + step / 2); // bf16: rounds to infinity in float, as it should
    const float above = narrow(c.format, limit) == top ? std::nextafter(limit, INFINITY) : limit;
    for (float x : {above, INFINITY, -INFINITY, std::bit_cast<float>(0x7f7fffffu)}) {
      const float wide = widen(c.format, narrow(c.format, x));
      if (c.has_infinity)
        EXPECT_EQ(wide, std::copysign(INFINITY, x));
      else
        EXPECT_TRUE(std::isnan(wide)) << x;
    }
    EXPECT_EQ(narrow(c.format, std::nextafter(limit, 0.0f)), top);
  }
  EXPECT_EQ(narrow(Format::f8e4m3, 464.0f), 0x7e) << "halfway to 480, and 448 is even";
}

TEST(Dtype, TinyNumbersBecomeSignedZero) {
  for (const Case& c : cases) {
    EXPECT_EQ(narrow(c.format, std::bit_cast<float>(1u)), 0u);
    EXPECT_EQ(narrow(c.format, -std::bit_cast<float>(1u)), count_of(c) / 2);
    EXPECT_EQ(narrow(c.format, -0.0f), count_of(c) / 2);
  }
}

float scale(unsigned bits) { return widen(Format::f8e8m0, static_cast<std::uint16_t>(bits)); }

TEST(Dtype, ScalesArePowersOfTwo) {
  for (unsigned bits = 0; bits < 255; ++bits) {
    ASSERT_EQ(scale(bits), std::ldexp(1.0, static_cast<int>(bits) - 127));
    ASSERT_EQ(narrow(Format::f8e8m0, scale(bits)), bits);
  }
  EXPECT_TRUE(std::isnan(scale(255)));
}

TEST(Dtype, BetweenScalesTheNearestWinsAndTiesGoUp) {
  for (unsigned bits = 0; bits < 254; ++bits) {
    const float middle = scale(bits) / 2 + scale(bits + 1) / 2;
    ASSERT_EQ(narrow(Format::f8e8m0, middle), bits + 1);
    ASSERT_EQ(narrow(Format::f8e8m0, std::nextafter(middle, 0.0f)), bits);
  }
}

TEST(Dtype, OutsideTheScalesTheNearestIsTaken) {
  for (float x : {0.0f, -0.0f, 0x1p-149f, 0x1p-128f})
    EXPECT_EQ(narrow(Format::f8e8m0, x), 0u) << x;
  for (float x : {0x1.8p127f, 0x1.fffffep127f, INFINITY})
    EXPECT_EQ(narrow(Format::f8e8m0, x), 254u) << x;
  for (float x : {-0x1p-149f, -1.0f, -INFINITY, NAN, -NAN})
    EXPECT_EQ(narrow(Format::f8e8m0, x), 255u) << x;
}

TEST(Dtype, HostTypesConvert) {
  EXPECT_EQ(tegula::bf16(1.0f).bits, 0x3f80);
  EXPECT_EQ(static_cast<float>(tegula::f16::from_bits(0x3c00)), 1.0f);
  EXPECT_EQ(sizeof(tegula::f8e5m2), 1u);
}

} // namespace
