// Branches, calls, divergence, barriers of blocks.
#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

// Stores %r10 at the thread's place.
const std::string store = "mul.wide.u32 %rd20, %r0, 4; add.s64 %rd20, %rd1, %rd20; st.global.b32 [%rd20], %r10;";

TEST(Control, LanesGoDifferentWaysAndMeet) {
  auto out = output_of("and.b32 %r1, %r0, 1; setp.eq.b32 %p1, %r1, 0; @%p1 bra EVEN; mov.u32 %r10, 100; bra.uni END;\n"
                       "EVEN: mov.u32 %r10, 200;\nEND: add.s32 %r10, %r10, %r0;" +
                       store);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], (i % 2 ? 100 : 200) + i);
}

TEST(Control, LoopsOfDifferentLengths) {
  auto out = output_of("mov.u32 %r10, 0; mov.u32 %r1, 0;\nLOOP: setp.ge.u32 %p1, %r1, %r0; @%p1 bra END;\n"
                       "add.s32 %r10, %r10, %r1; add.s32 %r1, %r1, 1; bra LOOP;\nEND:" +
                       store);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i * (i - 1) / 2);
}

TEST(Control, GuardsOfInstructions) {
  auto out = output_of("setp.lt.u32 %p1, %r0, 8; mov.u32 %r10, 1; @%p1 mov.u32 %r10, 2; @!%p1 add.s32 %r10, %r10, 5;" + store);
  EXPECT_EQ(out[0], 2U);
  EXPECT_EQ(out[31], 6U);
}

TEST(Control, IndexedBranch) {
  auto out = output_of("and.b32 %r1, %r0, 3;\nTABLE: .branchtargets A, B, C, A;\nbrx.idx %r1, TABLE;\n"
                       "A: mov.u32 %r10, 1; bra END;\nB: mov.u32 %r10, 2; bra END;\nC: mov.u32 %r10, 3;\nEND:" +
                       store);
  EXPECT_EQ((std::vector<std::uint32_t>{out[0], out[1], out[2], out[3]}), (std::vector<std::uint32_t>{1, 2, 3, 1}));
}

const std::string twice =
    ".func (.param .b32 res) twice(.param .b32 x, .param .b64 y) {\n .local .align 8 .b8 depot[16]; .reg .b64 %SP; .reg .b32 "
    "%r<9>;\n mov.b64 %SP, depot; ld.param.b32 %r1, [x]; st.local.b32 [%SP+8], %r1; ld.local.b32 %r2, [%SP+8]; add.s32 "
    "%r1, %r1, %r2; st.param.b32 [res], %r1; ret; }\n";
const std::string call =
    "{ .param .b32 p0; .param .b64 p1; .param .b32 r0; st.param.b32 [p0], %r0; st.param.b64 [p1], %rd0;\n call.uni (r0), "
    "twice, (p0, p1); ld.param.b32 %r10, [r0]; }\n";

TEST(Control, CallsOfFunctions) {
  auto out = output_of("mov.u32 %r10, 7; setp.gt.u32 %p1, %r0, 15; @%p1 bra END;\n" + call + "END:" + store, {}, twice);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i > 15 ? 7 : 2 * i);
}

TEST(Control, ScopesHaveTheirOwnNames) {
  auto out = output_of("mov.u32 %r10, 0;\n{ .reg .pred p; setp.lt.u32 p, %r0, 4; @p bra L; add.s32 %r10, %r10, 1; L: }\n"
                       "{ .reg .pred p; setp.lt.u32 p, %r0, 8; @p bra L; add.s32 %r10, %r10, 1; L: }" +
                       store);
  EXPECT_EQ(out[0], 0U);
  EXPECT_EQ(out[5], 1U);
  EXPECT_EQ(out[9], 2U);
}

TEST(Control, BlocksKnowTheirNumbers) {
  Conditions conditions;
  conditions.blocks = 7;
  conditions.threads = 48;
  conditions.outputs = 7 * 48;
  auto out = output_of(
      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.s32 %r3, %r1, %r2, %r0; mov.u32 %r4, %nctaid.x; mad.lo.s32 %r5, "
      "%r4, 1000, %r3; mul.wide.u32 %rd3, %r3, 4; add.s64 %rd3, %rd1, %rd3; st.global.b32 [%rd3], %r5;",
      conditions);
  for (std::uint32_t i = 0; i < 7 * 48; ++i)
    EXPECT_EQ(out[i], 7000 + i);
}

// Writes the thread's number to shared memory, waits, and reads its neighbour's in the next warp.
const std::string exchange =
    "mov.b32 %r1, buffer; shl.b32 %r2, %r0, 2; add.s32 %r3, %r1, %r2; st.shared.b32 [%r3], %r0; %BARRIER; add.s32 "
    "%r4, %r2, 128; and.b32 %r4, %r4, 511; add.s32 %r4, %r1, %r4; ld.shared.b32 %r10, [%r4];";

std::string exchange_with(const std::string& barrier) {
  std::string text = exchange;
  return text.replace(text.find("%BARRIER"), 8, barrier) + store;
}

TEST(Barrier, OrdersSharedMemory) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    Conditions conditions;
    conditions.threads = conditions.outputs = 128;
    conditions.options.seed = seed;
    auto out = output_of(exchange_with("bar.sync 0"), conditions, ".shared .align 4 .b8 buffer[512];");
    for (std::uint32_t i = 0; i < 128; ++i)
      EXPECT_EQ(out[i], (i + 32) % 128);
  }
}

TEST(Barrier, WithoutItIsARace) {
  Conditions conditions;
  conditions.threads = conditions.outputs = 128;
  std::string init = "mov.b32 %r1, buffer; shl.b32 %r2, %r0, 2; add.s32 %r3, %r1, %r2; st.shared.b32 [%r3], 0; bar.sync 0;";
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    conditions.options.seed = seed;
    std::string text =
        report_of(Problem::race, init + exchange_with("membar.cta"), conditions, ".shared .align 4 .b8 buffer[512];");
    EXPECT_NE(text.find("with no barrier between them"), std::string::npos) << text;
  }
}

TEST(Barrier, NamedWithACount) {
  Conditions conditions;
  conditions.threads = conditions.outputs = 128;
  // Warps 0 and 1 use barrier 1, warps 2 and 3 barrier 2: each pair exchanges.
  auto out = output_of(
      "shr.u32 %r20, %r0, 6; add.s32 %r20, %r20, 1; mov.b32 %r1, buffer; shl.b32 %r2, %r0, 2; add.s32 %r3, %r1, %r2; "
      "st.shared.b32 [%r3], %r0; barrier.sync %r20, 64; xor.b32 %r4, %r2, 128; add.s32 %r4, %r1, %r4; ld.shared.b32 %r10, [%r4];" +
          store,
      conditions, ".shared .align 4 .b8 buffer[512];");
  for (std::uint32_t i = 0; i < 128; ++i)
    EXPECT_EQ(out[i], i ^ 32);
}

TEST(Barrier, ArriveDoesNotWait) {
  Conditions conditions;
  conditions.threads = conditions.outputs = 64;
  // The first warp writes and arrives; the second waits and reads.
  auto out = output_of(
      "mov.u32 %r10, 0; mov.b32 %r1, buffer; and.b32 %r2, %r0, 31; shl.b32 %r2, %r2, 2; add.s32 %r3, %r1, %r2; setp.ge.u32 "
      "%p1, %r0, 32; @%p1 bra READ; st.shared.b32 [%r3], %r0; bar.arrive 3, 64; bra END;\n"
      "READ: bar.sync 3, 64; ld.shared.b32 %r10, [%r3];\nEND:" +
          store,
      conditions, ".shared .align 4 .b8 buffer[128];");
  for (std::uint32_t i = 32; i < 64; ++i)
    EXPECT_EQ(out[i], i - 32);
}

TEST(Barrier, Reductions) {
  Conditions conditions;
  conditions.threads = conditions.outputs = 64;
  auto out = output_of(
      "setp.lt.u32 %p1, %r0, 40; bar.red.popc.u32 %r10, 0, %p1; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, !%p1; "
      "selp.b32 %r1, 100, 0, %p2; selp.b32 %r2, 1000, 0, %p3; add.s32 %r10, %r10, %r1; add.s32 %r10, %r10, %r2;" +
          store,
      conditions);
  EXPECT_EQ(out[63], 1040U);
}

TEST(Barrier, ErrorsOfBarriers) {
  Conditions conditions;
  conditions.threads = 64;
  // Whoever comes first, the threads that end or those that wait.
  EXPECT_NE(
      report_of(Problem::barrier, "setp.lt.u32 %p1, %r0, 32; @%p1 exit; bar.sync 0;", conditions).find("all threads of the block"),
      std::string::npos);
  EXPECT_NE(report_of(Problem::barrier, "bar.sync 1, 48;", conditions).find("not a multiple"), std::string::npos);
  EXPECT_NE(report_of(Problem::barrier, "bar.sync 16;", conditions).find("only the barriers 0 to 15"), std::string::npos);
  EXPECT_NE(report_of(Problem::barrier,
                      "bar.sync 1, 32; add.s32 %r1, %r0, 0; shr.u32 %r1, %r0, 5; add.s32 %r1, %r1, 1; shl.b32 %r1, %r1, 5; "
                      "add.s32 %r1, %r1, 32; bar.sync 2, %r1;",
                      conditions)
                .find("expected here"),
            std::string::npos);
}

TEST(Barrier, Deadlocks) {
  Conditions conditions;
  conditions.threads = 64;
  std::string text = report_of(
      Problem::deadlock, "setp.lt.u32 %p1, %r0, 32; @%p1 bra A; bar.sync 2, 64; bra END;\nA: bar.sync 1, 64;\nEND:", conditions);
  EXPECT_NE(text.find("warp 0, lanes 0xffffffff: PTX line"), std::string::npos) << text;
  EXPECT_NE(text.find("bar.sync 2, 64"), std::string::npos) << text;
  // Half of a warp at one barrier, half at another.
  report_of(Problem::deadlock, "setp.lt.u32 %p1, %r0, 16; @%p1 bra A; bar.sync 0; bra END;\nA: bar.sync 0;\nEND:");
}

TEST(Control, StepLimit) {
  Conditions conditions;
  conditions.options.step_limit = 10000;
  EXPECT_NE(report_of(Problem::does_not_end, "L: bra L;", conditions).find("does not end"), std::string::npos);
}

TEST(Control, Trap) {
  std::string text = report_of(Problem::trap, "setp.eq.u32 %p1, %r0, 5; @%p1 trap;");
  EXPECT_NE(text.find("thread (5, 0, 0)"), std::string::npos) << text;
}

} // namespace
} // namespace ptxemu
