// Integers and bits. Expected values follow the definitions of PTX.
#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

TEST(Integer, AddSubMulOfEveryWidth) {
  EXPECT_EQ(value32("add.s32 %r10, %r11, %r12;", {0x7fffffff, 1}), 0x80000000U);
  EXPECT_EQ(value64("add.s64 %rd10, %rd11, %rd12;", {~0ULL, 2}), 1ULL);
  EXPECT_EQ(value16("add.s16 %h10, %h11, %h12;", {0xffff, 3}), 2);
  EXPECT_EQ(value32("sub.u32 %r10, %r11, %r12;", {1, 2}), 0xffffffffU);
  EXPECT_EQ(value32("add.sat.s32 %r10, %r11, %r12;", {0x7fffffff, 5}), 0x7fffffffU);
  EXPECT_EQ(value32("sub.sat.s32 %r10, %r11, %r12;", {0x80000000, 5}), 0x80000000U);
  EXPECT_EQ(value32("mul.lo.s32 %r10, %r11, %r12;", {0x10001, 0x10001}), 0x20001U);
  EXPECT_EQ(value32("mul.hi.s32 %r10, %r11, %r12;", {0xffffffff, 2}), 0xffffffffU);
  EXPECT_EQ(value32("mul.hi.u32 %r10, %r11, %r12;", {0xffffffff, 2}), 1U);
  EXPECT_EQ(value64("mul.hi.u64 %rd10, %rd11, %rd12;", {~0ULL, ~0ULL}), ~0ULL - 1);
  EXPECT_EQ(value64("mul.hi.s64 %rd10, %rd11, %rd12;", {~0ULL, ~0ULL}), 0ULL);
  EXPECT_EQ(value64("mul.wide.s32 %rd10, %r11, %r12;", {0xffffffff, 3}), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(value64("mul.wide.u32 %rd10, %r11, %r12;", {0xffffffff, 3}), 0x2fffffffdULL);
  EXPECT_EQ(value32("mul.wide.s16 %r10, %h11, %h12;", {0xffff, 7}), static_cast<std::uint32_t>(-7));
  EXPECT_EQ(value64("mad.wide.s32 %rd10, %r11, %r12, %rd13;", {0xffffffff, 3, 10}), 7ULL);
  EXPECT_EQ(value32("mad.lo.s32 %r10, %r11, %r12, %r13;", {5, 7, 100}), 135U);
  EXPECT_EQ(value32("mad.hi.u32 %r10, %r11, %r12, %r13;", {0x80000000, 4, 1}), 3U);
  EXPECT_EQ(value32("mul24.lo.s32 %r10, %r11, %r12;", {0x01ffffff, 2}), static_cast<std::uint32_t>(-2));
}

TEST(Integer, DivisionAndRemainder) {
  EXPECT_EQ(value32("div.s32 %r10, %r11, %r12;", {static_cast<std::uint32_t>(-7), 2}), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(value32("rem.s32 %r10, %r11, %r12;", {static_cast<std::uint32_t>(-7), 2}), static_cast<std::uint32_t>(-1));
  EXPECT_EQ(value32("div.u32 %r10, %r11, %r12;", {0xfffffff9, 2}), 0x7ffffffcU);
  EXPECT_EQ(value64("rem.u64 %rd10, %rd11, %rd12;", {~0ULL, 10}), 5ULL);
  EXPECT_EQ(value32("div.s32 %r10, %r11, %r12;", {0x80000000, 0xffffffff}), 0x80000000U);
  EXPECT_EQ(value32("rem.s32 %r10, %r11, %r12;", {0x80000000, 0xffffffff}), 0U);
  EXPECT_EQ(value32("div.u32 %r10, %r11, %r12;", {5, 0}), 0xffffffffU);
}

TEST(Integer, MinMaxAbsNeg) {
  EXPECT_EQ(value32("min.s32 %r10, %r11, %r12;", {0xffffffff, 1}), 0xffffffffU);
  EXPECT_EQ(value32("min.u32 %r10, %r11, %r12;", {0xffffffff, 1}), 1U);
  EXPECT_EQ(value64("max.s64 %rd10, %rd11, %rd12;", {~0ULL, 1}), 1ULL);
  EXPECT_EQ(value32("abs.s32 %r10, %r11;", {static_cast<std::uint32_t>(-9)}), 9U);
  EXPECT_EQ(value32("neg.s32 %r10, %r11;", {9}), static_cast<std::uint32_t>(-9));
  EXPECT_EQ(value32("max.s32.relu %r10, %r11, %r12;", {static_cast<std::uint32_t>(-9), static_cast<std::uint32_t>(-3)}), 0U);
  EXPECT_EQ(value32("max.s16x2 %r10, %r11, %r12;", {0xffff0005, 0x00010003}), 0x00010005U);
  EXPECT_EQ(value32("min.u16x2 %r10, %r11, %r12;", {0xffff0005, 0x00010003}), 0x00010003U);
  EXPECT_EQ(value32("add.u16x2 %r10, %r11, %r12;", {0xffff0005, 0x00010003}), 0x00000008U);
  EXPECT_EQ(value32("sad.u32 %r10, %r11, %r12, %r13;", {3, 10, 100}), 107U);
}

TEST(Integer, Carry) {
  std::string sum = "add.cc.u32 %r1, %r11, %r12; addc.u32 %r2, %r13, %r14; mov.b64 %rd10, {%r1, %r2};";
  EXPECT_EQ(value64(sum, {0xffffffff, 1, 5, 6}), (12ULL << 32));
  std::string difference = "sub.cc.u32 %r1, %r11, %r12; subc.u32 %r2, %r13, %r14; mov.b64 %rd10, {%r1, %r2};";
  EXPECT_EQ(value64(difference, {0, 1, 5, 3}), (1ULL << 32) | 0xffffffff);
  std::string product = "mad.lo.cc.u32 %r1, %r11, %r12, %r13; madc.hi.u32 %r2, %r11, %r12, 0; mov.b64 %rd10, {%r1, %r2};";
  EXPECT_EQ(value64(product, {0xffffffff, 0xffffffff, 0xffffffff}), 0xffffffffULL * 0xffffffffULL + 0xffffffffULL);
}

TEST(Bits, LogicAndShifts) {
  EXPECT_EQ(value32("and.b32 %r10, %r11, %r12;", {0xff00ff00, 0x0ff00ff0}), 0x0f000f00U);
  EXPECT_EQ(value32("or.b32 %r10, %r11, %r12;", {0xf0, 0x0f}), 0xffU);
  EXPECT_EQ(value16("xor.b16 %h10, %h11, %h12;", {0xff, 0x0f}), 0xf0);
  EXPECT_EQ(value64("not.b64 %rd10, %rd11;", {1}), ~1ULL);
  EXPECT_EQ(value32("cnot.b32 %r10, %r11;", {0}), 1U);
  EXPECT_EQ(value32("shl.b32 %r10, %r11, %r12;", {3, 4}), 48U);
  EXPECT_EQ(value32("shl.b32 %r10, %r11, %r12;", {3, 32}), 0U);
  EXPECT_EQ(value32("shl.b32 %r10, %r11, %r12;", {3, 0xffffffff}), 0U);
  EXPECT_EQ(value32("shr.u32 %r10, %r11, %r12;", {0x80000000, 31}), 1U);
  EXPECT_EQ(value32("shr.s32 %r10, %r11, %r12;", {0x80000000, 40}), 0xffffffffU);
  EXPECT_EQ(value64("shr.s64 %rd10, %rd11, %r12;", {1ULL << 63, 200}), ~0ULL);
  EXPECT_EQ(value64("shl.b64 %rd10, %rd11, %r12;", {1, 63}), 1ULL << 63);
  EXPECT_EQ(value16("shr.s16 %h10, %h11, %r12;", {0x8000, 3}), 0xf000);
  EXPECT_EQ(value32("shf.l.wrap.b32 %r10, %r11, %r12, %r13;", {0x80000001, 0x40000002, 33}), 0x80000005U);
  EXPECT_EQ(value32("shf.r.clamp.b32 %r10, %r11, %r12, %r13;", {0x80000001, 0x40000002, 33}), 0x40000002U);
}

TEST(Bits, Fields) {
  EXPECT_EQ(value32("bfe.u32 %r10, %r11, 8, 8;", {0x12345678}), 0x56U);
  EXPECT_EQ(value32("bfe.s32 %r10, %r11, 28, 4;", {0xf2345678}), 0xffffffffU);
  EXPECT_EQ(value32("bfe.s32 %r10, %r11, 28, 10;", {0x82345678}), 0xfffffff8U);
  EXPECT_EQ(value64("bfe.u64 %rd10, %rd11, 60, 20;", {0xf000000000000001}), 0xfULL);
  EXPECT_EQ(value32("bfi.b32 %r10, %r11, %r12, 8, 8;", {0xab, 0x12345678}), 0x1234ab78U);
  EXPECT_EQ(value64("bfi.b64 %rd10, %rd11, %rd12, 60, 8;", {0xff, 0}), 0xf000000000000000ULL);
  EXPECT_EQ(value32("bmsk.clamp.b32 %r10, %r11, %r12;", {4, 8}), 0xff0U);
  EXPECT_EQ(value32("szext.clamp.s32 %r10, %r11, %r12;", {0x88, 8}), 0xffffff88U);
  EXPECT_EQ(value32("szext.wrap.u32 %r10, %r11, %r12;", {0x1ff, 40}), 0xffU);
}

TEST(Bits, BytesAndTables) {
  EXPECT_EQ(value32("prmt.b32 %r10, %r11, %r12, 0x5410;", {0x33221100, 0x77665544}), 0x55441100U);
  EXPECT_EQ(value32("prmt.b32 %r10, %r11, %r12, 0xba98;", {0x80017f00, 0}), 0xff000000U);
  EXPECT_EQ(value32("prmt.b32.rc16 %r10, %r11, %r12, 1;", {0x33221100, 0}), 0x33223322U);
  EXPECT_EQ(value32("lop3.b32 %r10, %r11, %r12, %r13, 0x96;", {0xf0, 0xcc, 0xaa}), (0xf0U ^ 0xccU ^ 0xaaU));
  EXPECT_EQ(value32("popc.b32 %r10, %r11;", {0xf0f0}), 8U);
  EXPECT_EQ(value32("popc.b64 %r10, %rd11;", {~0ULL}), 64U);
  EXPECT_EQ(value32("clz.b32 %r10, %r11;", {0}), 32U);
  EXPECT_EQ(value32("clz.b64 %r10, %rd11;", {1}), 63U);
  EXPECT_EQ(value32("brev.b32 %r10, %r11;", {1}), 0x80000000U);
  EXPECT_EQ(value32("bfind.u32 %r10, %r11;", {0x1000}), 12U);
  EXPECT_EQ(value32("bfind.s32 %r10, %r11;", {0xffffffff}), 0xffffffffU);
  EXPECT_EQ(value32("bfind.shiftamt.u32 %r10, %r11;", {0x1000}), 19U);
  EXPECT_EQ(value32("dp4a.s32.s32 %r10, %r11, %r12, %r13;", {0xff020304, 0x01010101, 10}), 18U);
  EXPECT_EQ(value32("dp4a.u32.u32 %r10, %r11, %r12, %r13;", {0xff020304, 0x01010101, 10}), 274U);
  EXPECT_EQ(value32("dp2a.lo.s32.s32 %r10, %r11, %r12, %r13;", {0x00030002, 0x00000504, 1}), 24U);
}

TEST(Bits, Predicates) {
  EXPECT_TRUE(truth("mov.pred %p1, -1; mov.pred %p2, 0; or.pred %p10, %p1, %p2;", {}));
  EXPECT_FALSE(truth("mov.pred %p1, -1; not.pred %p2, %p1; and.pred %p10, %p1, %p2;", {}));
  EXPECT_TRUE(truth("setp.eq.u32 %p1, %r11, 1; xor.pred %p10, %p1, !%p1;", {1}));
}

TEST(Compare, Relations) {
  EXPECT_TRUE(truth("setp.lt.s32 %p10, %r11, %r12;", {0xffffffff, 0}));
  EXPECT_FALSE(truth("setp.lo.u32 %p10, %r11, %r12;", {0xffffffff, 0}));
  EXPECT_TRUE(truth("setp.ge.u64 %p10, %rd11, %rd12;", {5, 5}));
  EXPECT_TRUE(truth("setp.ne.s16 %p10, %h11, %h12;", {5, 6}));
  EXPECT_TRUE(truth("setp.gt.f32 %p10, %r11, %r12;", {bits(2.0F), bits(1.0F)}));
  EXPECT_FALSE(truth("setp.ne.f32 %p10, %r11, %r12;", {0x7fc00000, bits(1.0F)}));
  EXPECT_TRUE(truth("setp.neu.f32 %p10, %r11, %r12;", {0x7fc00000, bits(1.0F)}));
  EXPECT_TRUE(truth("setp.nan.f64 %p10, %rd11, %rd12;", {0x7ff8000000000000, 0}));
  EXPECT_TRUE(truth("setp.num.f32 %p10, %r11, %r12;", {0, 0}));
  EXPECT_TRUE(truth("setp.eq.ftz.f32 %p10, %r11, %r12;", {1, 0}));
  EXPECT_FALSE(truth("setp.eq.f32 %p10, %r11, %r12;", {1, 0}));
  EXPECT_TRUE(truth("setp.lt.f16 %p10, %h11, %h12;", {0x3c00, 0x4000}));
  EXPECT_TRUE(truth("setp.gt.bf16 %p10, %h11, %h12;", {0x4000, 0x3f80}));
  EXPECT_TRUE(truth("setp.eq.u32 %p1, 1, 2; setp.eq.and.u32 %p10, %r11, 3, !%p1;", {3}));
  EXPECT_FALSE(truth("setp.eq.u32 %p9|%p10, %r11, 3;", {3}));
  EXPECT_TRUE(truth("setp.lt.f16x2 %p9|%p10, %r11, %r12;", {0x3c004000, 0x40003c00}));
}

TEST(Compare, ValuesAndSelection) {
  EXPECT_EQ(value32("set.lt.u32.s32 %r10, %r11, %r12;", {1, 2}), 0xffffffffU);
  EXPECT_EQ(value32("set.gt.f32.f32 %r10, %r11, %r12;", {bits(2.0F), bits(1.0F)}), bits(1.0F));
  EXPECT_EQ(value32("set.gt.f16x2.f16x2 %r10, %r11, %r12;", {0x40003c00, 0x3c004000}), 0x3c000000U);
  EXPECT_EQ(value32("setp.eq.u32 %p1, 1, 1; selp.b32 %r10, %r11, %r12, %p1;", {7, 8}), 7U);
  EXPECT_EQ(value32("slct.b32.s32 %r10, %r11, %r12, %r13;", {7, 8, 0xffffffff}), 8U);
  EXPECT_EQ(value32("slct.b32.f32 %r10, %r11, %r12, %r13;", {7, 8, 0x80000000}), 7U);
  EXPECT_TRUE(truth("testp.subnormal.f32 %p10, %r11;", {1}));
  EXPECT_TRUE(truth("testp.infinite.f64 %p10, %rd11;", {0x7ff0000000000000}));
  EXPECT_FALSE(truth("testp.finite.f32 %p10, %r11;", {0x7f800000}));
}

TEST(Move, PackAndUnpack) {
  EXPECT_EQ(value64("mov.b64 %rd10, {%r11, %r12};", {1, 2}), (2ULL << 32) | 1);
  EXPECT_EQ(value32("mov.b32 %r10, {%h11, %h12};", {0x1234, 0xabcd}), 0xabcd1234U);
  EXPECT_EQ(value32("mov.b64 {_, %r10}, %rd11;", {0x1234567890abcdef}), 0x12345678U);
  EXPECT_EQ(value16("mov.b32 {%h9, %h10}, %r11;", {0x12345678}), 0x1234);
  EXPECT_EQ(value64("mov.b64 %rd10, {%h11, %h12, %h13, %h14};", {1, 2, 3, 4}), 0x0004000300020001ULL);
  EXPECT_EQ(value32("mov.b32 %r10, 0f3F800000;", {}), 0x3f800000U);
  EXPECT_EQ(value64("mov.b64 %rd10, 0d3FF0000000000000;", {}), 0x3ff0000000000000ULL);
  EXPECT_EQ(value32("mov.b32 %r10, -5;", {}), static_cast<std::uint32_t>(-5));
}

} // namespace
} // namespace ptxemu
