// cp.async.bulk.tensor from shared to global memory: what is stored where, and what must be waited for.
#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

constexpr std::uint32_t rows = 20, columns = 40, untouched = 0xffffffff;
const std::string before = ".shared .align 1024 .b8 buffer[4096];\n";

// The output is a tensor of 20 × 40 words; the address of its map, with boxes of `box_rows` × `box_columns`, is in the input.
Conditions tensor(std::uint32_t box_rows, std::uint32_t box_columns, int swizzle = 0) {
  Conditions conditions;
  conditions.input = {0, 0};
  conditions.outputs = rows * columns;
  conditions.prepare = [=](DeviceMemory& memory, std::uint64_t input, std::uint64_t output) {
    place_map(memory, output, rows, columns, box_rows, box_columns, swizzle, input);
  };
  return conditions;
}

// Word i of the buffer is i, for as many as threads times `turns`.
std::string fill(int turns = 1) {
  std::string text = "mov.b32 %r1, buffer; ld.global.b64 %rd4, [%rd0]; setp.eq.u32 %p1, %r0, 0; shl.b32 %r3, %r0, 2; add.s32 %r4, "
                     "%r1, %r3;";
  for (int i = 0; i < turns; ++i)
    text += "add.s32 %r5, %r0, " + std::to_string(32 * i) + "; st.shared.b32 [%r4+" + std::to_string(128 * i) + "], %r5;";
  return text;
}
const std::string fence = "fence.proxy.async.shared::cta;", sync = "bar.sync 0;", read = "@%p1 cp.async.bulk.wait_group.read 0;",
                  done = "@%p1 cp.async.bulk.wait_group 0;";
std::string store(int row, int column) {
  return "mov.b32 %r6, " + std::to_string(row) + "; mov.b32 %r7, " + std::to_string(column) +
         "; @%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd4, {%r7, %r6}], [%r1]; @%p1 "
         "cp.async.bulk.commit_group;";
}

std::string fill_and_store(int turns, int row, int column) { return fill(turns) + fence + sync + store(row, column) + read; }

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST(TensorStore, ClipsWhatLiesOutside) {
  for (auto [row, column] : {std::pair{3, 16}, {0, 0}, {-1, -2}, {18, 36}, {17, -7}, {-4, 0}, {0, 40}, {25, 100}}) {
    auto out = output_of(fill_and_store(1, row, column), tensor(4, 8), before);
    for (int i = 0; i < int(rows); ++i)
      for (int j = 0; j < int(columns); ++j) {
        bool inside = i >= row && i < row + 4 && j >= column && j < column + 8;
        EXPECT_EQ(out[i * columns + j], inside ? (i - row) * 8 + j - column : untouched)
            << "box at " << row << ", " << column << ", element " << i << ", " << j;
      }
  }
}

TEST(TensorStore, Swizzles) {
  struct Case {
    int mode;
    std::uint32_t width, span;
  };
  for (Case c : {Case{0, 8, 16}, Case{1, 8, 32}, Case{2, 16, 64}, Case{3, 32, 128}}) {
    auto out = output_of(fill_and_store(static_cast<int>(c.width) / 4, 2, 4), tensor(8, c.width, c.mode), before);
    for (std::uint32_t i = 0; i < 8 * c.width; ++i) {
      // Where element i of the box is in the buffer: the piece of 16 bytes is exchanged by the line of 128 bytes.
      std::uint32_t byte = 4 * i, pieces = c.span / 16, piece = byte / 16 % pieces, line = byte / 128 % pieces;
      EXPECT_EQ(out[(2 + i / c.width) * columns + 4 + i % c.width], (byte - piece * 16 + (piece ^ line) * 16) / 4)
          << "swizzle " << c.span << ", element " << i;
    }
  }
}

TEST(TensorStore, NeedsAFenceAndABarrier) {
  expect_part(report_of(Problem::race, fill() + sync + store(0, 0) + read, tensor(4, 8), before), "without fence.proxy.async");
  expect_part(report_of(Problem::race,
                        fill() + sync + fence + sync + store(0, 0) + read + "bar.sync 0; st.shared.b32 [%r4], 5;" + sync +
                            store(8, 0) + read,
                        tensor(4, 8), before),
              "without fence.proxy.async"); // the second store needs one of its own
  expect_part(report_of(Problem::race, fill() + fence + store(0, 0) + read, tensor(4, 8), before), "with no barrier between them");
}

TEST(TensorStore, MustHaveReadBeforeSharedMemoryIsUsedAgain) {
  const std::string stored = fill() + fence + sync + store(0, 0), write = "st.shared.b32 [%r4], 5;";
  expect_part(report_of(Problem::in_flight, stored, tensor(4, 8), before), "the thread ends while its copy");
  expect_part(report_of(Problem::in_flight, stored + sync + write + read, tensor(4, 8), before), "may still read");
  expect_part(
      report_of(Problem::in_flight, stored + "@%p1 cp.async.bulk.wait_group.read 1;" + sync + write + read, tensor(4, 8), before),
      "may still read");
  EXPECT_EQ(output_of(stored + read + sync + write, tensor(4, 8), before)[1], 1U);
  // The thread that waits must tell the others, whoever comes first.
  const std::string no_barrier = kernel(fill_and_store(1, 0, 0) + write, before);
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    Conditions conditions = tensor(4, 8);
    conditions.threads = 64;
    conditions.options.seed = seed;
    Outcome outcome = run(no_barrier, conditions);
    ASSERT_TRUE(outcome.report) << "seed " << seed;
    EXPECT_TRUE(outcome.report->problem == Problem::in_flight || outcome.report->problem == Problem::race) << outcome.report->text;
  }
}

TEST(TensorStore, MustBeDoneBeforeItsPlaceIsUsedAgain) {
  const std::string stored = fill() + fence + sync + store(0, 0);
  const std::string load = sync + "ld.global.b32 %r8, [%rd1+4]; setp.eq.u32 %p2, %r0, 5; @%p2 st.global.b32 [%rd1+1600], %r8;",
                    write = sync + "setp.eq.u32 %p2, %r0, 5; @%p2 st.global.b32 [%rd1], 7;";
  // Reading the source is not yet writing the destination.
  expect_part(report_of(Problem::in_flight, stored + read + load, tensor(4, 8), before), "read of global address");
  expect_part(report_of(Problem::in_flight, stored + read + write, tensor(4, 8), before), "write to global address");
  expect_part(report_of(Problem::in_flight, stored + read + store(3, 4) + read, tensor(4, 8), before), "write to global address");
  EXPECT_EQ(output_of(stored + done + load, tensor(4, 8), before)[400], 1U);
  EXPECT_EQ(output_of(stored + done + write, tensor(4, 8), before)[0], 7U);
  EXPECT_EQ(output_of(stored + done + store(3, 4) + read, tensor(4, 8), before)[3 * columns + 4], 0U);
  EXPECT_EQ(output_of(stored + store(4, 0) + read, tensor(4, 8), before)[4 * columns], 0U); // beside it there is room
}

} // namespace
} // namespace ptxemu
