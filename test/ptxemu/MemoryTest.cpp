// Loads, stores and atomics in every state space, and the checks of every access.
#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

const std::string store = "mul.wide.u32 %rd20, %r0, 4; add.s64 %rd20, %rd1, %rd20; st.global.b32 [%rd20], %r10;";
const std::string buffer = ".shared .align 16 .b8 buffer[1024];\n";

bool contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
  return text.find(part) != std::string::npos;
}

Conditions one_thread(std::vector<std::uint32_t> input = {}) {
  Conditions conditions;
  conditions.threads = 1;
  conditions.outputs = 16;
  conditions.input = std::move(input);
  return conditions;
}

TEST(Memory, SignsAndWidths) {
  auto out = output_of(
      "ld.global.s8 %r2, [%rd0]; st.global.b32 [%rd1], %r2; ld.global.u8 %r2, [%rd0]; st.global.b32 [%rd1+4], %r2; "
      "ld.global.s16 %r2, [%rd0+2]; st.global.b32 [%rd1+8], %r2; ld.global.nc.u16 %h1, [%rd0+2]; st.global.b16 [%rd1+12], %h1; "
      "ld.global.s32 %rd2, [%rd0+4]; st.global.b64 [%rd1+16], %rd2;",
      one_thread({0x800000ff, 0x80000000}));
  EXPECT_EQ(out[0], 0xffffffffU);
  EXPECT_EQ(out[1], 0xffU);
  EXPECT_EQ(out[2], 0xffff8000U);
  EXPECT_EQ(out[3], 0xffff8000U);
  EXPECT_EQ(out[4], 0x80000000U);
  EXPECT_EQ(out[5], 0xffffffffU);
}

TEST(Memory, Vectors) {
  auto out =
      output_of("ld.global.L1::no_allocate.L2::128B.v4.b32 {%r1, %r2, %r3, %r4}, [%rd0]; st.global.v2.b32 [%rd1], {%r4, %r3}; "
                "ld.relaxed.gpu.global.v2.b64 {%rd2, %rd3}, [%rd0]; st.volatile.global.b64 [%rd1+8], %rd3; "
                "ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd0]; st.global.b32 [%rd1+16], %r8;",
                one_thread({1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ((std::vector<std::uint32_t>(out.begin(), out.begin() + 5)), (std::vector<std::uint32_t>{4, 3, 3, 4, 8}));
}

TEST(Memory, GenericAddresses) {
  auto out = output_of(
      "mov.b64 %rd2, buffer; cvta.shared.u64 %rd3, %rd2; st.b32 [%rd3+8], 77; ld.shared.b32 %r10, [%rd2+8]; "
      "isspacep.shared %p1, %rd3; @%p1 add.s32 %r10, %r10, 100; isspacep.global %p2, %rd1; @%p2 add.s32 %r10, %r10, 1000; "
      "cvta.to.shared.u64 %rd4, %rd3; setp.eq.u64 %p3, %rd4, %rd2; @%p3 add.s32 %r10, %r10, 10000; st.b32 [%rd1], %r10;",
      one_thread(), buffer);
  EXPECT_EQ(out[0], 11177U);
}

TEST(Memory, DynamicSharedFollowsTheStatic) {
  Conditions conditions = one_thread();
  conditions.shared = 64;
  auto out = output_of(
      "mov.b64 %rd2, dynamic; st.shared.b32 [%rd2+60], 5; ld.shared.b32 %r10, [dynamic+60]; mov.b64 %rd3, buffer; sub.s64 %rd4, "
      "%rd2, %rd3; cvt.u32.u64 %r2, %rd4; add.s32 %r10, %r10, %r2; st.global.b32 [%rd1], %r10;",
      conditions, buffer + ".extern .shared .align 16 .b8 dynamic[];\n");
  EXPECT_EQ(out[0], 1029U);
  contains(report_of(Problem::out_of_bounds, "mov.b64 %rd2, dynamic; st.shared.b32 [%rd2+64], 5;", conditions,
                     buffer + ".extern .shared .align 16 .b8 dynamic[];\n"),
           "the block has 1088 bytes of shared memory");
}

TEST(Memory, GlobalVariables) {
  auto out =
      output_of("ld.global.b32 %r10, [table+4]; st.global.b32 [%rd1], %r10; mov.b64 %rd2, table+8; ld.const.b32 %r10, [%rd2]; "
                "st.global.b32 [%rd1+4], %r10; ld.global.b32 %r10, [zeros+4]; st.global.b32 [%rd1+8], %r10;",
                one_thread(), ".const .align 4 .u32 table[3] = {10, 20, 30};\n.global .align 4 .b8 zeros[8];\n");
  EXPECT_EQ((std::vector<std::uint32_t>(out.begin(), out.begin() + 3)), (std::vector<std::uint32_t>{20, 30, 0}));
}

TEST(Memory, OutOfBounds) {
  std::string text = report_of(Problem::out_of_bounds, "ld.global.b32 %r1, [%rd0+16];", one_thread({1, 2, 3}));
  contains(text, "read of 4 bytes at global address");
  contains(text, "4 bytes after the end of the allocation of 12 bytes");
  contains(text, "kernel k, block (0, 0, 0), thread (0, 0, 0)");
  contains(text, "ld.global.b32 %r1, [%rd0+16]");
  contains(report_of(Problem::out_of_bounds, "st.global.b32 [%rd0+-4], 1;", one_thread({1})),
           "4 bytes before the allocation of 4 bytes");
  contains(report_of(Problem::out_of_bounds, "mov.b64 %rd2, 0; ld.global.b32 %r1, [%rd2];", one_thread()), "a null pointer");
  contains(report_of(Problem::out_of_bounds, "mov.b64 %rd2, 0x123456789000; ld.b32 %r1, [%rd2];", one_thread()),
           "in no allocation");
  contains(report_of(Problem::out_of_bounds, "mov.b64 %rd2, buffer; ld.shared.b32 %r1, [%rd2+1024];", one_thread(), buffer),
           "the block has 1024 bytes of shared memory");
  contains(report_of(Problem::out_of_bounds, "mov.b32 %r1, 0; st.shared.b32 [%r1], %r1;", one_thread(), buffer),
           "1024 bytes before its start");
  contains(report_of(Problem::out_of_bounds, "{ .local .align 4 .b8 depot[8]; mov.b64 %rd2, depot; st.local.b32 [%rd2+16], %r0; }",
                     one_thread()),
           "the thread has 16 bytes");
  contains(report_of(Problem::out_of_bounds, "ld.param.b64 %rd2, [k_1+8];", one_thread()),
           "of the kernel's 16 bytes of parameters");
}

TEST(Memory, Misaligned) {
  contains(report_of(Problem::misaligned, "ld.global.b32 %r1, [%rd0+2];", one_thread({1, 2})), "which is not a multiple of 4");
  contains(report_of(Problem::misaligned, "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd0+8];", one_thread({1, 2, 3, 4, 5, 6})),
           "not a multiple of 16");
  contains(report_of(Problem::misaligned, "mov.b64 %rd2, buffer; st.shared.b64 [%rd2+4], %rd2;", one_thread(), buffer),
           "not a multiple of 8");
}

TEST(Memory, Uninitialised) {
  contains(report_of(Problem::uninitialised, "mov.b64 %rd2, buffer; st.shared.b8 [%rd2], 1; ld.shared.b32 %r1, [%rd2];",
                     one_thread(), buffer),
           "offset 1), which nobody has written");
  contains(report_of(Problem::uninitialised, "{ .local .align 4 .b8 depot[8]; ld.local.b32 %r1, [depot]; }", one_thread()),
           "which the thread has not written");
  Conditions conditions = one_thread();
  conditions.prepare = [](DeviceMemory& memory, std::uint64_t, std::uint64_t output) {
    std::uint64_t fresh = memory.allocate(64);
    memory.write(output, &fresh, 8);
  };
  std::string read = "ld.global.b64 %rd2, [%rd1]; ld.global.b32 %r1, [%rd2+8];";
  contains(report_of(Problem::uninitialised, read, conditions), "at offset 8 of the allocation of 64 bytes");
  conditions.options.check_initialised_global = false;
  EXPECT_FALSE(run(kernel(read), conditions).report);
}

TEST(Memory, FreedMemory) {
  Conditions conditions = one_thread();
  conditions.prepare = [](DeviceMemory& memory, std::uint64_t, std::uint64_t output) {
    std::uint64_t freed = memory.allocate(64);
    memory.free(freed);
    memory.write(output, &freed, 8);
  };
  contains(report_of(Problem::out_of_bounds, "ld.global.b64 %rd2, [%rd1]; st.global.b32 [%rd2+8], 1;", conditions),
           "which has been freed");
}

TEST(Memory, ReportsTheSource) {
  std::string files = ".file 1 \"outer.cpp\"\n.file 2 \"inner.hpp\"\n";
  contains(report_of(Problem::trap, ".loc 1 42 7\n trap;", one_thread(), files), "source outer.cpp:42:7");
  contains(report_of(Problem::trap, ".loc 2 5 3, function_name $L__info0, inlined_at 1 42 7\n trap;", one_thread(), files),
           "source inner.hpp:5:3, inlined at outer.cpp:42:7");
}

TEST(Race, BetweenLanesOfAWarp) {
  std::string write = "mov.b32 %r1, buffer; shl.b32 %r2, %r0, 2; add.s32 %r3, %r1, %r2; st.shared.b32 [%r3], %r0;";
  std::string read = "xor.b32 %r4, %r2, 4; add.s32 %r4, %r1, %r4; ld.shared.b32 %r10, [%r4];";
  std::string text = report_of(Problem::race, write + "\n" + read, {}, buffer);
  contains(text, "reads what thread 1 wrote in PTX line");
  contains(text, "(st.shared.b32 [%r3], %r0), with no barrier between them");
  EXPECT_EQ(output_of(write + "bar.warp.sync -1;" + read + store, {}, buffer)[5], 4U);
}

TEST(Race, OfWrites) {
  std::string to_one = "mov.b32 %r1, buffer; st.shared.b32 [%r1], %r0;";
  contains(report_of(Problem::race, to_one, {}, buffer), "writes what thread 0 wrote");
  // All the same value: harmless, and kernels do it.
  output_of("mov.b32 %r1, buffer; st.shared.b32 [%r1], 7; bar.warp.sync -1; ld.shared.b32 %r10, [%r1];" + store, {}, buffer);
  contains(
      report_of(
          Problem::race,
          "mov.b32 %r1, buffer; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.b32 [%r1], 1; bar.warp.sync -1; ld.shared.b32 %r2, [%r1]; "
          "@%p1 st.shared.b32 [%r1], 2;",
          {}, buffer),
      "writes what other threads of warp 0 read");
}

TEST(Race, NeighbouringBytesDoNotRace) {
  output_of("mov.b32 %r1, buffer; add.s32 %r1, %r1, %r0; st.shared.b8 [%r1], %r0; ld.shared.u8 %r10, [%r1];" + store, {}, buffer);
}

TEST(Race, BlocksStartAfresh) {
  Conditions conditions;
  conditions.blocks = 9;
  conditions.threads = 64;
  conditions.options.resident_blocks = 2;
  output_of("mov.b32 %r1, buffer; shl.b32 %r2, %r0, 2; add.s32 %r3, %r1, %r2; st.shared.b32 [%r3], %r0; bar.sync 0; xor.b32 %r4, "
            "%r2, 252; "
            "add.s32 %r4, %r1, %r4; ld.shared.b32 %r10, [%r4];",
            conditions, buffer);
}

TEST(Atomic, OnGlobalMemory) {
  Conditions conditions;
  conditions.threads = 128;
  conditions.blocks = 4;
  conditions.input = {0, 0xffffffff, 0, 0, 0, 0};
  auto out = output_of(
      "atom.global.add.u32 %r1, [%rd0], 1; red.global.min.u32 [%rd0+4], %r0; red.global.max.s32 [%rd0+8], %r0; "
      "atom.global.gpu.relaxed.add.f32 %r2, [%rd0+12], 0f3F000000; atom.global.or.b32 %r3, [%rd0+16], %r0; "
      "atom.global.inc.u32 %r4, [%rd0+20], 9; setp.eq.u32 %p1, %r1, 511; @!%p1 bra END; ld.volatile.global.v4.b32 {%r5, %r6, %r7, "
      "%r8}, [%rd0]; st.global.v4.b32 [%rd1], {%r5, %r6, %r7, %r8}; END:",
      conditions);
  EXPECT_EQ(out[0], 512U);
}

TEST(Atomic, Operations) {
  auto result = [](const std::string& body, std::uint32_t old) {
    auto out = output_of(body + " ld.global.b32 %r3, [%rd0]; st.global.v2.b32 [%rd1], {%r10, %r3};", one_thread({old, 0, 0, 0}));
    EXPECT_EQ(out[0], old);
    return out[1];
  };
  EXPECT_EQ(result("atom.global.cas.b32 %r10, [%rd0], 5, 9;", 5), 9U);
  EXPECT_EQ(result("atom.global.cas.b32 %r10, [%rd0], 5, 9;", 6), 6U);
  EXPECT_EQ(result("atom.global.exch.b32 %r10, [%rd0], 9;", 6), 9U);
  EXPECT_EQ(result("atom.global.inc.u32 %r10, [%rd0], 9;", 9), 0U);
  EXPECT_EQ(result("atom.global.dec.u32 %r10, [%rd0], 9;", 0), 9U);
  EXPECT_EQ(result("atom.global.and.b32 %r10, [%rd0], 12;", 10), 8U);
  EXPECT_EQ(result("atom.global.xor.b32 %r10, [%rd0], 12;", 10), 6U);
  EXPECT_EQ(result("atom.global.min.s32 %r10, [%rd0], -3;", 10), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(result("atom.global.add.noftz.f16x2 %r10, [%rd0], %r10;", 0x3c003c00) & 0, 0U);
  EXPECT_EQ(result("mov.b32 %r1, 0x40003c00; atom.global.add.noftz.f16x2 %r10, [%rd0], %r1;", 0x3c003c00), 0x42004000U);
  EXPECT_EQ(result("mov.b32 %r1, 0x40003f80; atom.global.add.noftz.bf16x2 %r10, [%rd0], %r1;", 0x3f803f80), 0x40404000U);
  EXPECT_EQ(result("red.global.add.v2.f32 [%rd0], {0f3F800000, 0f40000000}; mov.b32 %r10, 0x3f800000;", 0x3f800000), 0x40000000U);
}

TEST(Atomic, OnSharedMemoryDoesNotRace) {
  Conditions conditions;
  conditions.threads = 128;
  conditions.outputs = 128;
  auto out = output_of(
      "mov.b32 %r1, buffer; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.b32 [%r1], 0; bar.sync 0; atom.shared.add.u32 %r2, [%r1], 2; "
      "bar.sync 0; ld.shared.b32 %r10, [%r1];" +
          store,
      conditions, buffer);
  EXPECT_EQ(out[77], 256U);
  // Without the second barrier the plain read races.
  report_of(Problem::race,
            "mov.b32 %r1, buffer; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.b32 [%r1], 0; bar.sync 0; atom.shared.add.u32 %r2, "
            "[%r1], 2; ld.shared.b32 "
            "%r10, [%r1];",
            conditions, buffer);
}

} // namespace
} // namespace ptxemu
