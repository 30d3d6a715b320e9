// The numbers that references are made of, checked against this machine's floats and values from the formats' definitions.
#include "test/support/Numbers.h"
#include "test/support/Inputs.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace tegula::test {

TEST(Numbers, agree_with_the_machine) {
  Random random(1);
  for (int i = 0; i < 100000; ++i) {
    std::uint64_t bits = random.next();
    double wide = std::bit_cast<double>(bits);
    float narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isnan(wide) || std::isnan(narrow))
      continue;
    ASSERT_EQ(decode(DType::f64, bits), wide);
    ASSERT_EQ(encode(DType::f64, wide), bits);
    ASSERT_EQ(decode(DType::f32, static_cast<std::uint32_t>(bits)), narrow);
    ASSERT_EQ(encode(DType::f32, wide), std::bit_cast<std::uint32_t>(static_cast<float>(wide)));
    double moderate = std::ldexp(wide, -std::ilogb(wide) + static_cast<int>(bits % 300) - 160); // denormals too
    ASSERT_EQ(encode(DType::f32, moderate), std::bit_cast<std::uint32_t>(static_cast<float>(moderate)));
  }
}

TEST(Numbers, survive_encoding) {
  for (DType t : {DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2, DType::f8e8m0})
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << bits_of(t); ++bits) {
      Real x = decode(t, bits);
      if (!std::isnan(x))
        ASSERT_EQ(encode(t, x), bits) << tegula::name(t);
    }
}

TEST(Numbers, known_values) {
  EXPECT_EQ(largest_finite(DType::f16), 65504);
  EXPECT_EQ(largest_finite(DType::f8e4m3), 448);
  EXPECT_EQ(largest_finite(DType::f8e5m2), 57344);
  EXPECT_EQ(encode(DType::f8e4m3, 464), 0x7Eu) << "half way to what would be 480 is even at 448";
  EXPECT_TRUE(std::isnan(round_to(DType::f8e4m3, 465)));
  EXPECT_TRUE(std::isinf(round_to(DType::f16, 65520)));
  EXPECT_EQ(round_to(DType::f16, 65519.9L), 65504);
  EXPECT_EQ(round_to(DType::f16, 65520, Rounding::toward_zero), 65504);
  EXPECT_EQ(round_to(DType::f16, -65520, Rounding::up), -65504);
  EXPECT_EQ(round_to(DType::bf16, 1.00390625L), 1);
  EXPECT_EQ(round_to(DType::bf16, 1.00390625L, Rounding::up), 1.0078125L);
  EXPECT_EQ(largest_finite(DType::f8e8m0), std::ldexp(1.0L, 127));
  EXPECT_EQ(round_to(DType::f8e8m0, 1.5L), 2) << "half way, the larger one";
  EXPECT_EQ(round_to(DType::f8e8m0, 1.49L), 1);
  EXPECT_EQ(round_to(DType::f8e8m0, 3.9L, Rounding::toward_zero), 2);
  EXPECT_EQ(round_to(DType::f8e8m0, 2.1L, Rounding::up), 4);
  EXPECT_EQ(encode(DType::f8e8m0, 0), 0u);
  EXPECT_EQ(encode(DType::f8e8m0, std::numeric_limits<Real>::infinity()), 254u);
  EXPECT_EQ(encode(DType::f8e8m0, -1), 255u);
  EXPECT_EQ(decode(DType::f16, 1), std::ldexp(1.0L, -24));
  EXPECT_EQ(round_to_integer(2.5L), 2);
  EXPECT_EQ(round_to_integer(-3.5L), -4);
  EXPECT_EQ(static_cast<std::int64_t>(lowest(DType::i8)), -128);
  EXPECT_EQ(encode_integer(DType::i8, 200), 200u);
  EXPECT_EQ(static_cast<std::int64_t>(decode_integer(DType::i8, 200)), -56);
  EXPECT_EQ(static_cast<std::int64_t>(decode_integer(DType::u8, 200)), 200);
}

} // namespace tegula::test
