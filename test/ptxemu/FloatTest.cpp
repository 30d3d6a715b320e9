// Floating-point numbers: roundings, denormal numbers, NaN, and every conversion.
#include <cmath>

#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

constexpr std::uint32_t nan32 = 0x7fffffff;

TEST(Float, RoundingModes) {
  // 1 + 2^-24 lies half-way between two numbers.
  std::uint32_t one = bits(1.0F), tiny = bits(0x1p-24F), next = bits(1.0F + 0x1p-23F);
  EXPECT_EQ(value32("add.rn.f32 %r10, %r11, %r12;", {one, tiny}), one);
  EXPECT_EQ(value32("add.rz.f32 %r10, %r11, %r12;", {one, tiny}), one);
  EXPECT_EQ(value32("add.rm.f32 %r10, %r11, %r12;", {one, tiny}), one);
  EXPECT_EQ(value32("add.rp.f32 %r10, %r11, %r12;", {one, tiny}), next);
  EXPECT_EQ(value32("sub.rm.f32 %r10, %r11, %r12;", {bits(-1.0F), tiny}), bits(-1.0F - 0x1p-23F));
  EXPECT_EQ(value64("add.rp.f64 %rd10, %rd11, %rd12;", {bits(1.0), bits(0x1p-80)}), bits(1.0 + 0x1p-52));
  EXPECT_EQ(value32("div.rn.f32 %r10, %r11, %r12;", {bits(1.0F), bits(3.0F)}), bits(1.0F / 3.0F));
  EXPECT_EQ(value32("div.rz.f32 %r10, %r11, %r12;", {bits(2.0F), bits(3.0F)}), 0x3f2aaaaaU);
  EXPECT_EQ(value32("sqrt.rn.f32 %r10, %r11;", {bits(2.0F)}), bits(std::sqrt(2.0F)));
  EXPECT_EQ(value64("sqrt.rn.f64 %rd10, %rd11;", {bits(2.0)}), bits(std::sqrt(2.0)));
  EXPECT_EQ(value64("rcp.rn.f64 %rd10, %rd11;", {bits(3.0)}), bits(1.0 / 3.0));
  EXPECT_EQ(value32("mul.rp.f32 %r10, %r11, %r12;", {0x3f800001, 0x3f800001}), 0x3f800003U);
}

TEST(Float, FmaRoundsOnce) {
  float a = 1.0F + 0x1p-23F;
  // a·a - 1 - 2^-22 = 2^-46 exactly
  EXPECT_EQ(value32("fma.rn.f32 %r10, %r11, %r12, %r13;", {bits(a), bits(a), bits(-1.0F - 0x1p-22F)}), bits(0x1p-46F));
  // Two instructions round twice.
  EXPECT_EQ(value32("mul.rn.f32 %r10, %r11, %r12; add.rn.f32 %r10, %r10, %r13;", {bits(a), bits(a), bits(-1.0F - 0x1p-22F)}), 0U);
}

TEST(Float, DenormalNumbersNanAndSaturation) {
  EXPECT_EQ(value32("add.rn.f32 %r10, %r11, %r12;", {1, 2}), 3U);
  EXPECT_EQ(value32("add.rn.ftz.f32 %r10, %r11, %r12;", {1, 2}), 0U);
  EXPECT_EQ(value32("mul.rn.ftz.f32 %r10, %r11, %r12;", {bits(-0x1p-100F), bits(0x1p-40F)}), 0x80000000U);
  EXPECT_EQ(value32("add.rn.f32 %r10, %r11, %r12;", {0x7f800000, 0xff800000}), nan32);
  EXPECT_EQ(value32("add.rn.f32 %r10, %r11, %r12;", {0x7fc12345, 0}), nan32);
  EXPECT_EQ(value32("fma.rn.sat.f32 %r10, %r11, %r12, %r13;", {bits(2.0F), bits(2.0F), 0}), bits(1.0F));
  EXPECT_EQ(value32("add.sat.f32 %r10, %r11, %r12;", {nan32, 0}), 0U);
}

TEST(Float, MinMaxAndSigns) {
  EXPECT_EQ(value32("min.f32 %r10, %r11, %r12;", {nan32, bits(3.0F)}), bits(3.0F));
  EXPECT_EQ(value32("min.NaN.f32 %r10, %r11, %r12;", {nan32, bits(3.0F)}), nan32);
  EXPECT_EQ(value32("min.f32 %r10, %r11, %r12;", {0, 0x80000000}), 0x80000000U);
  EXPECT_EQ(value32("max.f32 %r10, %r11, %r12;", {0x80000000, 0}), 0U);
  EXPECT_EQ(value64("max.f64 %rd10, %rd11, %rd12;", {bits(-1.0), bits(2.0)}), bits(2.0));
  EXPECT_EQ(value32("abs.f32 %r10, %r11;", {bits(-2.0F)}), bits(2.0F));
  EXPECT_EQ(value32("neg.f32 %r10, %r11;", {bits(2.0F)}), bits(-2.0F));
  EXPECT_EQ(value32("copysign.f32 %r10, %r11, %r12;", {bits(-0.0F), bits(5.0F)}), bits(-5.0F));
}

TEST(Float, ApproximateFunctions) {
  EXPECT_FLOAT_EQ(as_float(value32("ex2.approx.ftz.f32 %r10, %r11;", {bits(1.5F)})), std::exp2(1.5F));
  EXPECT_FLOAT_EQ(as_float(value32("lg2.approx.f32 %r10, %r11;", {bits(10.0F)})), std::log2(10.0F));
  EXPECT_FLOAT_EQ(as_float(value32("sin.approx.f32 %r10, %r11;", {bits(1.0F)})), std::sin(1.0F));
  EXPECT_FLOAT_EQ(as_float(value32("cos.approx.f32 %r10, %r11;", {bits(1.0F)})), std::cos(1.0F));
  EXPECT_FLOAT_EQ(as_float(value32("tanh.approx.f32 %r10, %r11;", {bits(0.5F)})), std::tanh(0.5F));
  EXPECT_FLOAT_EQ(as_float(value32("rcp.approx.ftz.f32 %r10, %r11;", {bits(3.0F)})), 1 / 3.0F);
  EXPECT_FLOAT_EQ(as_float(value32("rsqrt.approx.f32 %r10, %r11;", {bits(3.0F)})), 1 / std::sqrt(3.0F));
  EXPECT_FLOAT_EQ(as_float(value32("sqrt.approx.f32 %r10, %r11;", {bits(3.0F)})), std::sqrt(3.0F));
  EXPECT_FLOAT_EQ(as_float(value32("div.approx.f32 %r10, %r11, %r12;", {bits(3.0F), bits(7.0F)})), 3.0F / 7);
  EXPECT_FLOAT_EQ(as_float(value32("div.full.f32 %r10, %r11, %r12;", {bits(3.0F), bits(7.0F)})), 3.0F / 7);
  EXPECT_EQ(value32("lg2.approx.ftz.f32 %r10, %r11;", {0}), 0xff800000U);
  EXPECT_EQ(value32("ex2.approx.ftz.f32 %r10, %r11;", {bits(-200.0F)}), 0U);
}

TEST(Half, Arithmetic) {
  // 1, 2, 3 in f16 are 3c00, 4000, 4200; in bf16 3f80, 4000, 4040.
  EXPECT_EQ(value16("add.rn.f16 %h10, %h11, %h12;", {0x3c00, 0x4000}), 0x4200);
  EXPECT_EQ(value16("sub.bf16 %h10, %h11, %h12;", {0x4040, 0x3f80}), 0x4000);
  EXPECT_EQ(value16("mul.f16 %h10, %h11, %h12;", {0x7bff, 0x4000}), 0x7c00);
  EXPECT_EQ(value32("add.f16x2 %r10, %r11, %r12;", {0x3c004000, 0x40003c00}), 0x42004200U);
  EXPECT_EQ(value32("fma.rn.bf16x2 %r10, %r11, %r12, %r13;", {0x40003f80, 0x40403f80, 0x3f803f80}), 0x40e04000U);
  EXPECT_EQ(value16("fma.rn.relu.f16 %h10, %h11, %h12, %h13;", {0xbc00, 0x4000, 0}), 0);
  EXPECT_EQ(value16("fma.rn.sat.f16 %h10, %h11, %h12, %h13;", {0x4000, 0x4000, 0}), 0x3c00);
  EXPECT_EQ(value16("add.f16 %h10, %h11, %h12;", {1, 2}), 3);
  EXPECT_EQ(value16("add.ftz.f16 %h10, %h11, %h12;", {1, 2}), 0);
  EXPECT_EQ(value16("min.f16 %h10, %h11, %h12;", {0x7e00, 0x3c00}), 0x3c00);
  EXPECT_EQ(value16("max.NaN.bf16 %h10, %h11, %h12;", {0x7fc0, 0x3f80}), 0x7fff);
  EXPECT_EQ(value32("neg.f16x2 %r10, %r11;", {0x3c00bc00}), 0xbc003c00U);
  EXPECT_EQ(value16("abs.bf16 %h10, %h11;", {0xbf80}), 0x3f80);
  EXPECT_EQ(value16("ex2.approx.f16 %h10, %h11;", {0x4000}), 0x4400);
  EXPECT_EQ(value16("tanh.approx.bf16 %h10, %h11;", {0}), 0);
}

TEST(Half, FmaRoundsOnce) {
  // (1 + 2^-10)² + 2^-24 = 1 + 2^-9 + 2^-20 + 2^-24: to nearest 1 + 2^-9. With -2^-20 - 2^-9 it is exactly 1.
  EXPECT_EQ(value16("fma.rn.f16 %h10, %h11, %h12, %h13;", {0x3c01, 0x3c01, 0x0001}), 0x3c02);
  // 2048 + 1 is half-way, and a little more than that goes up.
  EXPECT_EQ(value16("fma.rn.f16 %h10, %h11, %h12, %h13;", {0x3c01, 0x3c00, 0x6800}), 0x6801);
  EXPECT_EQ(value16("fma.rn.f16 %h10, %h11, %h12, %h13;", {0x3c00, 0x3c00, 0x6800}), 0x6800);
}

TEST(Convert, BetweenIntegers) {
  EXPECT_EQ(value64("cvt.s64.s32 %rd10, %r11;", {0x80000000}), 0xffffffff80000000ULL);
  EXPECT_EQ(value64("cvt.u64.u32 %rd10, %r11;", {0x80000000}), 0x80000000ULL);
  EXPECT_EQ(value32("cvt.s32.s8 %r10, %r11;", {0x1ff}), 0xffffffffU);
  EXPECT_EQ(value32("cvt.u32.u8 %r10, %r11;", {0x1ff}), 0xffU);
  EXPECT_EQ(value32("cvt.sat.s8.s32 %r10, %r11;", {300}), 127U);
  EXPECT_EQ(value32("cvt.sat.u8.s32 %r10, %r11;", {static_cast<std::uint32_t>(-4)}), 0U);
  EXPECT_EQ(value16("cvt.u16.u32 %h10, %r11;", {0x12345}), 0x2345);
  EXPECT_EQ(value32("cvt.pack.sat.s16.s32 %r10, %r11, %r12;", {100000, static_cast<std::uint32_t>(-100000)}), 0x7fff8000U);
  EXPECT_EQ(value32("cvt.pack.sat.u8.s32.b32 %r10, %r11, %r12, %r13;", {300, 5, 0xabcd}), 0xabcdff05U);
}

TEST(Convert, IntegersToFloats) {
  EXPECT_EQ(value32("cvt.rn.f32.s32 %r10, %r11;", {0x01000001}), bits(16777216.0F));
  EXPECT_EQ(value32("cvt.rp.f32.s32 %r10, %r11;", {0x01000001}), bits(16777218.0F));
  EXPECT_EQ(value32("cvt.rz.f32.u64 %r10, %rd11;", {~0ULL}), bits(0x1.fffffep63F));
  EXPECT_EQ(value64("cvt.rn.f64.s64 %rd10, %rd11;", {static_cast<std::uint64_t>(-5)}), bits(-5.0));
  EXPECT_EQ(value16("cvt.rn.f16.s32 %h10, %r11;", {2049}), 0x6800);
  EXPECT_EQ(value16("cvt.rn.bf16.u64 %h10, %rd11;", {(0x80ULL << 56) + (1ULL << 55) + 1}), 0x5f01);
}

TEST(Convert, FloatsToIntegers) {
  EXPECT_EQ(value32("cvt.rni.s32.f32 %r10, %r11;", {bits(2.5F)}), 2U);
  EXPECT_EQ(value32("cvt.rzi.s32.f32 %r10, %r11;", {bits(-2.9F)}), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(value32("cvt.rmi.s32.f32 %r10, %r11;", {bits(-2.1F)}), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(value32("cvt.rpi.u32.f64 %r10, %rd11;", {bits(2.1)}), 3U);
  EXPECT_EQ(value32("cvt.rzi.s32.f32 %r10, %r11;", {bits(1e20F)}), 0x7fffffffU);
  EXPECT_EQ(value32("cvt.rzi.u32.f32 %r10, %r11;", {bits(-1.0F)}), 0U);
  EXPECT_EQ(value32("cvt.rzi.s32.f32 %r10, %r11;", {nan32}), 0U);
  EXPECT_EQ(value64("cvt.rzi.s64.f32 %rd10, %r11;", {nan32}), 1ULL << 63);
  EXPECT_EQ(value64("cvt.rzi.u64.f64 %rd10, %rd11;", {bits(0x1p63)}), 1ULL << 63);
  EXPECT_EQ(value32("cvt.rzi.s16.f32 %r10, %r11;", {bits(1e6F)}), 0x7fffU);
  EXPECT_EQ(value32("cvt.rzi.s32.f16 %r10, %h11;", {0xc500}), static_cast<std::uint32_t>(-5));
}

TEST(Convert, BetweenFloats) {
  EXPECT_EQ(value32("cvt.rn.f32.f64 %r10, %rd11;", {bits(0.1)}), bits(0.1F));
  EXPECT_EQ(value32("cvt.rz.f32.f64 %r10, %rd11;", {bits(0.1)}), bits(std::nextafter(0.1F, 0.0F)));
  EXPECT_EQ(value64("cvt.f64.f32 %rd10, %r11;", {bits(0.5F)}), bits(0.5));
  EXPECT_EQ(value16("cvt.rn.f16.f32 %h10, %r11;", {bits(65520.0F)}), 0x7c00);
  EXPECT_EQ(value16("cvt.rz.f16.f32 %h10, %r11;", {bits(65520.0F)}), 0x7bff);
  EXPECT_EQ(value16("cvt.rn.f16.f32 %h10, %r11;", {bits(0x1p-25F)}), 0);
  EXPECT_EQ(value16("cvt.rn.f16.f32 %h10, %r11;", {bits(0x1.8p-25F)}), 1);
  EXPECT_EQ(value16("cvt.rn.bf16.f32 %h10, %r11;", {0x3f808000}), 0x3f80);
  EXPECT_EQ(value16("cvt.rn.bf16.f32 %h10, %r11;", {0x3f818000}), 0x3f82);
  EXPECT_EQ(value16("cvt.rn.bf16.f32 %h10, %r11;", {0x7fc12345}), 0x7fff);
  EXPECT_EQ(value16("cvt.rn.relu.f16.f32 %h10, %r11;", {bits(-3.0F)}), 0);
  EXPECT_EQ(value32("cvt.f32.f16 %r10, %h11;", {0x0001}), bits(0x1p-24F));
  EXPECT_EQ(value32("cvt.f32.bf16 %r10, %h11;", {0x4049}), 0x40490000U);
  EXPECT_EQ(value32("cvt.rni.f32.f32 %r10, %r11;", {bits(2.5F)}), bits(2.0F));
  EXPECT_EQ(value32("cvt.sat.f32.f32 %r10, %r11;", {bits(2.5F)}), bits(1.0F));
  EXPECT_EQ(value32("cvt.rn.f16x2.f32 %r10, %r11, %r12;", {bits(1.0F), bits(2.0F)}), 0x3c004000U);
  EXPECT_EQ(value32("cvt.rn.bf16x2.f32 %r10, %r11, %r12;", {bits(1.0F), bits(2.0F)}), 0x3f804000U);
  EXPECT_EQ(value32("cvt.rna.tf32.f32 %r10, %r11;", {0x3f801000}), 0x3f802000U);
}

TEST(Convert, EightBitFloats) {
  EXPECT_EQ(value16("cvt.rn.satfinite.e4m3x2.f32 %h10, %r11, %r12;", {bits(1.0F), bits(1000.0F)}), 0x387e);
  EXPECT_EQ(value16("cvt.rn.satfinite.e5m2x2.f32 %h10, %r11, %r12;", {bits(1.0F), bits(1e6F)}), 0x3c7b);
  EXPECT_EQ(value16("cvt.rn.satfinite.e4m3x2.f32 %h10, %r11, %r12;", {nan32, bits(-0.001953125F)}), 0x7f81);
  EXPECT_EQ(value32("cvt.rn.f16x2.e4m3x2 %r10, %h11;", {0x387e}), 0x3c005f00U);
  EXPECT_EQ(value32("cvt.rn.f16x2.e5m2x2 %r10, %h11;", {0x3cbc}), 0x3c00bc00U);
  EXPECT_EQ(value16("cvt.rn.satfinite.e4m3x2.f16x2 %h10, %r11;", {0x3c005f00}), 0x387e);
}

} // namespace
} // namespace ptxemu
