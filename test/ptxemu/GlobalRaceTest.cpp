// Accesses of a block's threads and copies to the same bytes of global memory: what is ordered, and what is reported.
#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

const std::string syncwarp = "bar.warp.sync -1;", sync = "bar.sync 0;";
// Each thread's own word of the output, and that of a thread whose number differs in the bits of `other`.
const std::string own = "mul.wide.u32 %rd20, %r0, 4; add.s64 %rd20, %rd1, %rd20;";
std::string of_other(int bits) {
  return "xor.b32 %r20, %r0, " + std::to_string(bits) + "; mul.wide.u32 %rd21, %r20, 4; add.s64 %rd21, %rd1, %rd21;";
}
const std::string write_own = own + "st.global.b32 [%rd20], %r0;";
const std::string in_thread_0 = "setp.eq.u32 %p1, %r0, 0; @%p1 ", in_thread_33 = "setp.eq.u32 %p2, %r0, 33; @%p2 ";

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

Conditions threads(std::uint32_t count, std::uint64_t seed = 1) {
  Conditions conditions;
  conditions.threads = count;
  conditions.outputs = 128;
  conditions.options.seed = seed;
  return conditions;
}
// Whatever the order in which warps run.
void expect_race(const std::string& body, std::uint32_t count, const std::string& before = "") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    report_of(Problem::race, body, threads(count, seed), before);
}
void expect_none(const std::string& body, std::uint32_t count, const std::string& before = "") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    output_of(body, threads(count, seed), before);
}

TEST(GlobalRace, OfWrites) {
  std::string text = report_of(Problem::race, "st.global.b32 [%rd1+8], %r0;", threads(32));
  expect_part(text, "writes, in global memory, what thread 0 wrote in PTX line");
  expect_part(text, "(st.global.b32 [%rd1+8], %r0), with no barrier between them");
  expect_part(text, "thread (1, 0, 0)");
  // Whether the value differs or not, and by generic addresses too.
  expect_race("st.global.b32 [%rd1], 7;", 32);
  expect_race("st.b32 [%rd1], 7;", 64);
  // Of the same instruction in another turn of a loop, or of two.
  expect_race(write_own + of_other(1) + "st.global.b32 [%rd21], 5;", 32);
  expect_none(write_own + syncwarp + of_other(1) + "st.global.b32 [%rd21], 5;", 32);
  expect_race(write_own + syncwarp + of_other(32) + "st.global.b32 [%rd21], 5;", 64);
  expect_none(write_own + sync + of_other(32) + "st.global.b32 [%rd21], 5;", 64);
}

TEST(GlobalRace, ReadAfterWrite) {
  const std::string near = of_other(4) + "ld.global.b32 %r10, [%rd21];", far = of_other(36) + "ld.global.b32 %r10, [%rd21];";
  expect_part(report_of(Problem::race, write_own + near, threads(32)), "reads, in global memory, what thread 4 wrote");
  expect_none(write_own + syncwarp + near, 32);
  expect_race(write_own + far, 64);
  expect_race(write_own + syncwarp + far, 64);
  expect_none(write_own + sync + far, 64);
}

TEST(GlobalRace, WriteAfterRead) {
  const std::string read = "ld.global.b32 %r10, [%rd1+4];", write = in_thread_0 + "st.global.b32 [%rd1+4], 3;";
  expect_part(report_of(Problem::race, read + write, threads(32)), "writes, in global memory, what other threads of warp 0 read");
  expect_none(read + syncwarp + write, 32);
  expect_race(read + write, 128);
  expect_race(read + syncwarp + write, 128);
  expect_none(read + sync + write, 128);
  // One reader in another warp.
  const std::string one_reads = in_thread_33 + "ld.global.b32 %r10, [%rd1+4];";
  expect_race(one_reads + write, 64);
  expect_none(one_reads + sync + write, 64);
}

// A read that is ordered before one of another warp does not hide it, nor is it forgotten.
TEST(GlobalRace, ReadsOfSeveralTurns) {
  const std::string read = "ld.global.b32 %r10, [%rd1+4];", write = in_thread_0 + "st.global.b32 [%rd1+4], 3;";
  expect_race(read + sync + in_thread_33 + "ld.global.b32 %r10, [%rd1+4];" + write, 64);
  expect_none(read + sync + in_thread_33 + "ld.global.b32 %r10, [%rd1+4];" + sync + write + sync + read, 64);
}

TEST(GlobalRace, NotOfOneThread) {
  expect_none(write_own + "ld.global.b32 %r10, [%rd20]; add.s32 %r10, %r10, 1; st.global.b32 [%rd20], %r10;", 128);
}

TEST(GlobalRace, NotOfNeighbours) {
  expect_none("cvt.u64.u32 %rd20, %r0; add.s64 %rd20, %rd1, %rd20; st.global.b8 [%rd20], %r0; ld.global.u8 %r10, [%rd20];", 128);
  // A wide access meets each of its bytes.
  expect_race(in_thread_0 + "st.global.v4.b32 [%rd1], {%r0, %r0, %r0, %r0};" + in_thread_33 + "st.global.b8 [%rd1+15], %r0;", 64);
}

TEST(GlobalRace, OfAtomics) {
  const std::string add = "atom.global.add.u32 %r10, [%rd1], 1; red.global.add.u32 [%rd1], 1;";
  expect_none(add, 128);
  expect_race(add + "ld.global.b32 %r10, [%rd1];", 64);
  expect_none(add + "ld.relaxed.gpu.global.b32 %r10, [%rd1];", 64);
  expect_none(add + sync + "ld.global.b32 %r10, [%rd1];", 64);
  expect_race(add + in_thread_0 + "st.global.b32 [%rd1], 4;", 64);
  expect_race("ld.relaxed.gpu.global.b32 %r10, [%rd1];" + in_thread_0 + "st.global.b32 [%rd1], 4;", 64);
}

// What programs do to each other is for the prover; and a block that comes later starts afresh.
TEST(GlobalRace, NotOfBlocks) {
  Conditions conditions = threads(64);
  conditions.blocks = 9;
  conditions.options.resident_blocks = 2;
  output_of(write_own + "ld.global.b32 %r10, [%rd20];", conditions);
  output_of(own + "ld.global.b32 %r10, [%rd1];" + sync + in_thread_0 + "st.global.b32 [%rd1], 4;", conditions);
}

const std::string buffer = ".shared .align 128 .b8 buffer[2048];\n.shared .align 8 .b8 bar[8];\n";

TEST(GlobalRace, OfCopiesByThreads) {
  const std::string copy = "mov.b32 %r1, buffer; shl.b32 %r2, %r0, 4; add.s32 %r3, %r1, %r2; setp.lt.u32 %p3, %r0, 16; "
                           "cvt.u64.u32 %rd22, %r2; add.s64 %rd22, %rd1, %rd22; @%p3 cp.async.cg.shared.global [%r3], [%rd22], 16; "
                           "cp.async.commit_group;",
                    wait = "cp.async.wait_group 0;", write = in_thread_33 + "st.global.b32 [%rd1+4], 3;";
  expect_none(copy + wait + sync + write, 64, buffer);
  expect_race(copy + wait + write, 64, buffer);
  expect_race(copy + write + wait, 64, buffer);
  expect_race(copy + sync + write + wait, 64, buffer); // ordered after the start, not after the end
  expect_race(write + copy + wait, 64, buffer);
  expect_none(write + sync + copy + wait, 64, buffer);
}

TEST(GlobalRace, OfBulkLoads) {
  const std::string begin =
                        "mov.b32 %r1, buffer; mov.b32 %r2, bar; setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [%r2], 1; " +
                        sync,
                    copy = "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 64; @%p1 "
                           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [%r2];",
                    wait = "L: mbarrier.try_wait.parity.shared.b64 %p4, [%r2], 0; @!%p4 bra L;",
                    write = in_thread_33 + "st.global.b32 [%rd1+4], 3;", fence = "fence.proxy.async;";
  expect_none(begin + copy + wait + write, 64, buffer);
  expect_race(begin + copy + sync + write + wait, 64, buffer);
  expect_none(begin + write + fence + sync + copy + wait, 64, buffer);
  expect_race(begin + write + sync + copy + wait, 64, buffer);
  expect_part(report_of(Problem::race, begin + write + sync + copy + wait, threads(64), buffer), "without fence.proxy.async");
}

TEST(GlobalRace, OfBulkStores) {
  const std::string fill = "mov.b32 %r1, buffer; shl.b32 %r2, %r0, 2; add.s32 %r3, %r1, %r2; st.shared.b32 [%r3], %r0; "
                           "setp.eq.u32 %p1, %r0, 0;",
                    fence = "fence.proxy.async;",
                    copy = "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 64; @%p1 cp.async.bulk.commit_group;",
                    done = "@%p1 cp.async.bulk.wait_group 0;", write = in_thread_33 + "st.global.b32 [%rd1+4], 3;",
                    read = in_thread_33 + "ld.global.b32 %r10, [%rd1+4];";
  const std::string copied = fill + fence + sync + copy + done;
  for (const std::string& access : {write, read}) {
    expect_none(copied + sync + access, 64, buffer);
    expect_none(fill + access + fence + sync + copy + done, 64, buffer);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) { // in flight, or done with nobody told
      Outcome outcome = run(kernel(copied + access, buffer), threads(64, seed));
      ASSERT_TRUE(outcome.report) << "seed " << seed;
      EXPECT_TRUE(outcome.report->problem == Problem::in_flight || outcome.report->problem == Problem::race)
          << outcome.report->text;
    }
  }
  // Before the copy: the fence is the writer's, and the barrier comes after it.
  expect_race(fill + fence + write + sync + copy + done, 64, buffer);
  expect_race(fill + fence + sync + write + copy + done, 64, buffer);
  expect_none(copied + copy + done, 64, buffer); // one thread's copies, one after the other
}

} // namespace
} // namespace ptxemu
