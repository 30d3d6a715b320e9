// Instructions in which the lanes of a warp meet.
#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

const std::string store = "mul.wide.u32 %rd20, %r0, 4; add.s64 %rd20, %rd1, %rd20; st.global.b32 [%rd20], %r10;";

std::vector<std::uint32_t> lanes_of(const std::string& body) { return output_of(body + store); }

TEST(Shuffle, Modes) {
  auto up = lanes_of("shfl.sync.up.b32 %r10|%p1, %r0, 3, 0, -1; @!%p1 add.s32 %r10, %r10, 100;");
  auto down = lanes_of("shfl.sync.down.b32 %r10, %r0, 3, 31, -1;");
  auto butterfly = lanes_of("shfl.sync.bfly.b32 %r10, %r0, 5, 31, 0xffffffff;");
  auto index = lanes_of("shfl.sync.idx.b32 %r10, %r0, 7, 31, -1;");
  auto segments = lanes_of("shfl.sync.idx.b32 %r10, %r0, 1, 0x1c03, -1;"); // groups of 4
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(up[i], i >= 3 ? i - 3 : 100 + i);
    EXPECT_EQ(down[i], i + 3 < 32 ? i + 3 : i);
    EXPECT_EQ(butterfly[i], i ^ 5);
    EXPECT_EQ(index[i], 7U);
    EXPECT_EQ(segments[i], (i & ~3U) + 1);
  }
}

TEST(Shuffle, LanesThatComeByDifferentWaysMeet) {
  auto out = lanes_of(
      "mov.u32 %r1, 1; and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra L; mov.u32 %r1, 2;\nL: shfl.sync.bfly.b32 %r10, %r1, "
      "1, 31, -1;");
  EXPECT_EQ(out[0], 2U);
  EXPECT_EQ(out[1], 1U);
}

TEST(Shuffle, PartsOfAWarp) {
  auto out =
      lanes_of("setp.lt.u32 %p1, %r0, 16; mov.u32 %r10, 0; @!%p1 bra END; shfl.sync.bfly.b32 %r10, %r0, 8, 31, 0xffff;\nEND:");
  EXPECT_EQ(out[3], 11U);
  EXPECT_EQ(out[20], 0U);
}

TEST(Shuffle, Errors) {
  // The upper half ends; then a lane reads from one of them.
  std::string text = report_of(Problem::shuffle, "setp.ge.u32 %p1, %r0, 16; @%p1 exit; shfl.sync.bfly.b32 %r10, %r0, 16, 31, -1;");
  EXPECT_NE(text.find("reads lane 16, which does not take part"), std::string::npos) << text;
  text = report_of(Problem::shuffle, "shfl.sync.idx.b32 %r10, %r0, 0, 31, 0xf;");
  EXPECT_NE(text.find("the thread is not in the mask 0xf"), std::string::npos) << text;
  // One half waits for the other, which waits elsewhere.
  text = report_of(Problem::deadlock,
                   "setp.lt.u32 %p1, %r0, 16; @%p1 bra A; shfl.sync.idx.b32 %r10, %r0, 0, 31, -1; bra END;\nA: shfl.sync.idx.b32 "
                   "%r10, %r0, 1, 31, -1;\nEND:");
  EXPECT_NE(text.find("warp 0, lanes 0xffff: PTX line"), std::string::npos) << text;
}

TEST(Vote, AllForms) {
  std::string p = "setp.lt.u32 %p1, %r0, 20;";
  EXPECT_EQ(lanes_of(p + "vote.sync.ballot.b32 %r10, %p1, -1;")[31], 0xfffffU);
  EXPECT_EQ(lanes_of(p + "vote.sync.any.pred %p2, %p1, -1; selp.b32 %r10, 1, 0, %p2;")[31], 1U);
  EXPECT_EQ(lanes_of(p + "vote.sync.all.pred %p2, %p1, -1; selp.b32 %r10, 1, 0, %p2;")[0], 0U);
  EXPECT_EQ(lanes_of(p + "vote.sync.uni.pred %p2, %p1, -1; selp.b32 %r10, 1, 0, %p2;")[0], 0U);
  EXPECT_EQ(lanes_of(p + "vote.sync.ballot.b32 %r10, !%p1, -1;")[0], 0xfff00000U);
  EXPECT_EQ(lanes_of("activemask.b32 %r10;")[0], 0xffffffffU);
}

TEST(Vote, MatchReduceElect) {
  std::string quarter = "shr.u32 %r1, %r0, 3;";
  EXPECT_EQ(lanes_of(quarter + "match.any.sync.b32 %r10, %r1, -1;")[9], 0xff00U);
  EXPECT_EQ(lanes_of(quarter + "match.all.sync.b32 %r10|%p1, %r1, -1; @%p1 trap;")[9], 0U);
  EXPECT_EQ(lanes_of("redux.sync.add.s32 %r10, %r0, -1;")[5], 496U);
  EXPECT_EQ(lanes_of("sub.s32 %r1, %r0, 10; redux.sync.min.s32 %r10, %r1, -1;")[5], static_cast<std::uint32_t>(-10));
  EXPECT_EQ(lanes_of("redux.sync.max.u32 %r10, %r0, -1;")[5], 31U);
  EXPECT_EQ(lanes_of("redux.sync.xor.b32 %r10, %r0, -1;")[5], 0U);
  auto elected = lanes_of("elect.sync %r1|%p1, -1; selp.b32 %r10, 1, 0, %p1;");
  EXPECT_EQ(elected[0], 1U);
  EXPECT_EQ(elected[1], 0U);
}

TEST(Special, Registers) {
  EXPECT_EQ(lanes_of("mov.u32 %r10, %laneid;")[9], 9U);
  EXPECT_EQ(lanes_of("mov.u32 %r10, %lanemask_lt;")[9], 0x1ffU);
  EXPECT_EQ(
      lanes_of("mov.u64 %rd2, %clock64; mov.u64 %rd3, %globaltimer; setp.gt.u64 %p1, %rd3, %rd2; selp.b32 %r10, 1, 0, %p1;")[9],
      1U);
}

} // namespace
} // namespace ptxemu
