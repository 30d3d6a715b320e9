// Copies in the background: cp.async, mbarrier, cp.async.bulk.
#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

const std::string store = "mul.wide.u32 %rd20, %r0, 4; add.s64 %rd20, %rd1, %rd20; st.global.b32 [%rd20], %r10;";
const std::string buffer = ".shared .align 128 .b8 buffer[1024];\n.shared .align 8 .b8 bar[16];\n";

bool contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
  return text.find(part) != std::string::npos;
}

Conditions with_input(std::size_t words, std::uint64_t seed = 1) {
  Conditions conditions;
  for (std::uint32_t i = 0; i < words; ++i)
    conditions.input.push_back(1000 + i);
  conditions.options.seed = seed;
  return conditions;
}

// Each thread copies its word; %r3 is its shared address.
const std::string copy =
    "mov.b32 %r1, buffer; shl.b32 %r2, %r0, 2; add.s32 %r3, %r1, %r2; cvt.u64.u32 %rd2, %r2; add.s64 %rd3, %rd0, %rd2; "
    "cp.async.ca.shared.global [%r3], [%rd3], 4; cp.async.commit_group;";

TEST(AsyncCopy, ArrivesAtTheWait) {
  auto out = output_of(copy + "cp.async.wait_group 0; ld.shared.b32 %r10, [%r3];" + store, with_input(32), buffer);
  EXPECT_EQ(out[31], 1031U);
  out = output_of(copy + "cp.async.wait_all; ld.shared.b32 %r10, [%r3];" + store, with_input(32), buffer);
  EXPECT_EQ(out[31], 1031U);
}

TEST(AsyncCopy, NeedsTheWait) {
  std::string text = report_of(Problem::in_flight, copy + "ld.shared.b32 %r10, [%r3];", with_input(32), buffer);
  contains(text, "read of shared address");
  contains(text, "is still to write: wait for the copy");
  contains(report_of(Problem::in_flight, copy + "st.shared.b32 [%r3], 1;", with_input(32), buffer), "write to shared address");
  // The newest group may still be in flight.
  report_of(Problem::in_flight, copy + "cp.async.wait_group 1; ld.shared.b32 %r10, [%r3];", with_input(32), buffer);
}

TEST(AsyncCopy, NeedsABarrierForOthers) {
  std::string read = "xor.b32 %r4, %r2, 124; add.s32 %r4, %r1, %r4; ld.shared.b32 %r10, [%r4];";
  contains(report_of(Problem::race, copy + "cp.async.wait_all;" + read, with_input(32), buffer), "cp.async.ca.shared.global");
  EXPECT_EQ(output_of(copy + "cp.async.wait_all; bar.sync 0;" + read + store, with_input(32), buffer)[0], 1031U);
}

TEST(AsyncCopy, ShortSourcesAreFilledWithZeros) {
  Conditions conditions = with_input(4);
  conditions.threads = 1;
  auto out = output_of(
      "mov.b32 %r1, buffer; mov.u32 %r2, 8; cp.async.cg.shared.global.L2::128B [%r1], [%rd0], 16, %r2; cp.async.wait_all; "
      "ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%r1]; st.global.v4.b32 [%rd1], {%r3, %r4, %r5, %r6};",
      conditions, buffer);
  EXPECT_EQ((std::vector<std::uint32_t>(out.begin(), out.begin() + 4)), (std::vector<std::uint32_t>{1000, 1001, 0, 0}));
  contains(
      report_of(Problem::out_of_bounds, "mov.b32 %r1, buffer; cp.async.cg.shared.global [%r1], [%rd0+16], 16;", conditions, buffer),
      "right after the end");
  contains(
      report_of(Problem::misaligned, "mov.b32 %r1, buffer; cp.async.cg.shared.global [%r1+4], [%rd0], 16;", conditions, buffer),
      "is not a multiple of 16");
}

// Thread 0 makes an mbarrier for one arrival; all wait until it is there.
const std::string init = "mov.b32 %r1, buffer; mov.b32 %r2, bar; setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared::cta.b64 "
                         "[%r2], %COUNT; bar.sync 0;\n";
std::string init_for(const std::string& count) {
  std::string text = init;
  return text.replace(text.find("%COUNT"), 6, count);
}
const std::string wait = "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra WAIT;\n";

TEST(Mbarrier, ArriveAndWait) {
  std::string write =
      "shl.b32 %r3, %r0, 2; add.s32 %r4, %r1, %r3; st.shared.b32 [%r4], %r0; mbarrier.arrive.shared::cta.b64 %rd2, [%r2];";
  std::string read = "xor.b32 %r3, %r3, 252; add.s32 %r4, %r1, %r3; ld.shared.b32 %r10, [%r4];";
  std::string by_parity = init_for("64") + write + wait + read + store;
  // By the state that the arrival gave.
  std::string by_state =
      init_for("64") + write + "WAIT: mbarrier.test_wait.shared::cta.b64 %p2, [%r2], %rd2; @!%p2 bra WAIT;\n" + read + store;
  std::string one_too_few = init_for("65") + write + wait;
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    Conditions conditions = with_input(1, seed);
    conditions.threads = conditions.outputs = 64;
    EXPECT_EQ(output_of(by_parity, conditions, buffer)[0], 63U);
    EXPECT_EQ(output_of(by_state, conditions, buffer)[0], 63U);
    report_of(Problem::deadlock, one_too_few, conditions, buffer);
  }
}

TEST(Mbarrier, Errors) {
  Conditions conditions = with_input(1);
  contains(report_of(Problem::mbarrier, "mov.b32 %r2, bar; mbarrier.arrive.shared.b64 %rd2, [%r2];", conditions, buffer),
           "no mbarrier has been initialised at shared address");
  contains(report_of(Problem::mbarrier,
                     init_for("31") + "mbarrier.arrive.shared.b64 _, [%r2]; mbarrier.arrive.shared.b64 _, [%r2], 40;", conditions,
                     buffer),
           "arrivals, and the phase expects only");
  contains(report_of(Problem::mbarrier, init_for("1") + "st.shared.b64 [%r2], %rd0;", conditions, buffer),
           "only mbarrier instructions may touch it");
  contains(report_of(Problem::race,
                     "mov.b32 %r2, bar; setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [%r2], 32; "
                     "mbarrier.arrive.shared.b64 _, [%r2];",
                     conditions, buffer),
           "uses the mbarrier that thread 0 initialised");
  std::string text = report_of(Problem::deadlock, init_for("1") + wait, conditions, buffer);
  contains(text, "threads wait for an mbarrier that nothing completes");
  contains(text, "1 of 1 arrivals and 0 bytes are missing");
}

const std::string load_bulk =
    "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 128; @%p1 cp.async.bulk.shared::cluster.global.mbarrier::"
    "complete_tx::bytes [%r1], [%rd0], 128, [%r2];\n";
const std::string read_word = "shl.b32 %r3, %r0, 2; add.s32 %r4, %r1, %r3; ld.shared.b32 %r10, [%r4];";

TEST(BulkCopy, ToSharedMemory) {
  std::string body = init_for("1") + load_bulk + wait + read_word + store;
  for (std::uint64_t seed = 1; seed < 20; ++seed)
    EXPECT_EQ(output_of(body, with_input(32, seed), buffer)[31], 1031U);
}

TEST(BulkCopy, NeedsTheWait) {
  contains(report_of(Problem::in_flight, init_for("1") + load_bulk + "bar.sync 0;" + read_word, with_input(32, 3), buffer),
           "is still to write");
  // The barrier completes, but for the bytes of one copy of two.
  report_of(Problem::deadlock,
            init_for("1") + "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 256;" +
                load_bulk.substr(load_bulk.find(';') + 1) + wait,
            with_input(32), buffer);
}

TEST(BulkCopy, OverWhatThreadsWrote) {
  std::string write = "mov.b32 %r1, buffer; shl.b32 %r3, %r0, 2; add.s32 %r4, %r1, %r3; st.shared.b32 [%r4], %r0;";
  std::string copy = init_for("1") + load_bulk + wait + read_word + store;
  EXPECT_EQ(output_of(write + "fence.proxy.async;" + copy, with_input(32), buffer)[31], 1031U);
  contains(report_of(Problem::race, write + copy, with_input(32), buffer),
           "copies, without fence.proxy.async after the write, over what");
}

TEST(BulkCopy, ToGlobalMemory) {
  std::string write =
      "mov.b32 %r1, buffer; setp.eq.u32 %p1, %r0, 0; shl.b32 %r3, %r0, 2; add.s32 %r4, %r1, %r3; st.shared.b32 [%r4], %r0;";
  std::string fence = "fence.proxy.async.shared::cta; bar.sync 0;";
  std::string copy_out = "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 128; @%p1 cp.async.bulk.commit_group;";
  auto out = output_of(write + fence + copy_out + "@%p1 cp.async.bulk.wait_group 0;", with_input(1), buffer);
  EXPECT_EQ(out[31], 31U);
  out = output_of(write + fence + copy_out + "@%p1 cp.async.bulk.wait_group.read 0;", with_input(1), buffer);
  EXPECT_EQ(out[31], 31U);
  contains(report_of(Problem::race, write + "bar.sync 0;" + copy_out, with_input(1), buffer), "without fence.proxy.async");
  contains(report_of(Problem::race, write + "fence.proxy.async;" + copy_out, with_input(1), buffer),
           "with no barrier between them");
  contains(report_of(Problem::in_flight, write + fence + copy_out, with_input(1), buffer), "the thread ends while its copy");
  contains(report_of(Problem::in_flight, write + fence + copy_out + "bar.sync 0; st.shared.b32 [%r4], 5;", with_input(1), buffer),
           "may still read");
}

TEST(BulkCopy, Reduces) {
  Conditions conditions = with_input(1);
  conditions.prepare = [](DeviceMemory& memory, std::uint64_t, std::uint64_t output) {
    std::uint32_t tens[32];
    std::fill_n(tens, 32, 10);
    memory.write(output, tens, sizeof tens);
  };
  auto out = output_of(
      "mov.b32 %r1, buffer; setp.eq.u32 %p1, %r0, 0; shl.b32 %r3, %r0, 2; add.s32 %r4, %r1, %r3; st.shared.b32 [%r4], %r0; "
      "fence.proxy.async; bar.sync 0; @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 128; @%p1 "
      "cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0;",
      conditions, buffer);
  EXPECT_EQ(out[31], 41U);
}

TEST(AsyncCopy, TellsAnMbarrier) {
  std::string body = init_for("32") +
                     "shl.b32 %r3, %r0, 2; add.s32 %r4, %r1, %r3; cvt.u64.u32 %rd2, %r3; add.s64 %rd3, %rd0, %rd2; "
                     "cp.async.ca.shared.global [%r4], [%rd3], 4; cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r2];\n";
  std::string read = "xor.b32 %r3, %r3, 124; add.s32 %r4, %r1, %r3; ld.shared.b32 %r10, [%r4];";
  EXPECT_EQ(output_of(body + wait + read + store, with_input(32), buffer)[0], 1031U);
}

} // namespace
} // namespace ptxemu
