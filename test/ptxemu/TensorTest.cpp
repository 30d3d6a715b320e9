// cp.async.bulk.tensor with maps as cuTensorMapEncodeTiled makes them.
#include "tools/ptxemu/TensorMap.h"

#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

const std::string before = ".shared .align 1024 .b8 buffer[4096];\n.shared .align 8 .b8 bar[8];\n";

// A tensor of 20 × 40 words, word (i, j) = 100·i + j, with boxes of `rows` × `columns`; the map is at the output + 256.
Conditions tensor(std::uint32_t rows, std::uint32_t columns, int swizzle = 0, std::size_t outputs = 256) {
  Conditions conditions;
  for (std::uint32_t i = 0; i < 20; ++i)
    for (std::uint32_t j = 0; j < 40; ++j)
      conditions.input.push_back(100 * i + j);
  conditions.outputs = outputs;
  conditions.prepare = [=](DeviceMemory& memory, std::uint64_t input, std::uint64_t output) {
    place_map(memory, input, 20, 40, rows, columns, swizzle, output);
  };
  return conditions;
}

// Loads the box at (row %r6, column %r7) and waits for it.
std::string load(int row, int column, int bytes) {
  return "mov.b32 %r1, buffer; mov.b32 %r2, bar; ld.global.b64 %rd4, [%rd1]; mov.b32 %r6, " + std::to_string(row) +
         "; mov.b32 %r7, " + std::to_string(column) +
         "; setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @%p1 mbarrier.arrive.expect_tx.shared.b64 "
         "_, [%r2], " +
         std::to_string(bytes) +
         "; @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd4, {%r7, %r6}], "
         "[%r2];\n"
         "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0; @!%p2 bra WAIT;\n";
}
const std::string copy_out =
    "shl.b32 %r3, %r0, 2; add.s32 %r4, %r1, %r3; cvt.u64.u32 %rd5, %r3; add.s64 %rd5, %rd1, %rd5; ld.shared.b32 %r5, [%r4]; "
    "st.global.b32 [%rd5], %r5;";

TEST(Tensor, LoadsABox) {
  Conditions conditions = tensor(4, 8);
  auto out = output_of(load(3, 16, 128) + copy_out, conditions, before);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], 100 * (3 + i / 8) + 16 + i % 8);
}

TEST(Tensor, OutsideAreZeros) {
  auto out = output_of(load(18, 36, 128) + copy_out, tensor(4, 8), before);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i / 8 < 2 && i % 8 < 4 ? 100 * (18 + i / 8) + 36 + i % 8 : 0);
  out = output_of(load(-1, -2, 128) + copy_out, tensor(4, 8), before);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i / 8 >= 1 && i % 8 >= 2 ? 100 * (i / 8 - 1) + i % 8 - 2 : 0);
}

TEST(Tensor, Swizzles) {
  struct Case {
    int mode;
    std::uint32_t columns, span;
  };
  for (Case c : {Case{1, 8, 32}, Case{2, 16, 64}, Case{3, 32, 128}}) {
    Conditions conditions = tensor(8, c.columns, c.mode);
    conditions.threads = 8 * c.columns;
    auto out = output_of(load(0, 0, static_cast<int>(32 * c.columns)) + copy_out, conditions, before);
    for (std::uint32_t i = 0; i < 8 * c.columns; ++i) {
      // Where element i of the box went: the piece of 16 bytes is exchanged by the line of 128 bytes.
      std::uint32_t byte = 4 * i, piece = byte / 16 % (c.span / 16), line = byte / 128 % (c.span / 16);
      std::uint32_t place = (byte - piece * 16 + (piece ^ line) * 16) / 4;
      EXPECT_EQ(out[place], 100 * (i / c.columns) + i % c.columns) << "swizzle " << c.span << ", element " << i;
    }
  }
}

TEST(Tensor, StoresABox) {
  Conditions conditions = tensor(4, 8);
  std::string store = "fence.proxy.async; bar.sync 0; mov.b32 %r6, 17; mov.b32 %r7, 34; @%p1 "
                      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                      "[%rd4, {%r7, %r6}], [%r1]; @%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0; bar.sync 0; "
                      "mad.lo.s32 %r8, %r0, 4, "
                      "2848; cvt.u64.u32 %rd6, %r8; add.s64 %rd6, %rd0, %rd6; ld.global.b32 %r9, [%rd6]; add.s64 %rd7, %rd1, 128; "
                      "cvt.u64.u32 %rd8, %r3; "
                      "add.s64 %rd7, %rd7, %rd8; st.global.b32 [%rd7], %r9;";
  auto out = output_of(load(3, 16, 128) + copy_out + store, conditions, before);
  // From byte 2848 of the tensor: row 17, column 32.
  EXPECT_EQ(out[32 + 1], 1733U);
  EXPECT_EQ(out[32 + 2], 316U);
  EXPECT_EQ(out[32 + 7], 321U);
  EXPECT_EQ(out[32 + 8], 1800U); // columns 40 and 41 are outside: the next row has not been touched
}

// The map may be a parameter of the kernel, as compilers pass it.
TEST(Tensor, MapsByValue) {
  auto module = load_module(
      ".version 8.6\n.target sm_90a\n.address_size 64\n" + before +
      ".visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {\n.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
      "ld.param.b64 %rd1, [out]; mov.b64 %rd2, map; cvta.param.u64 %rd3, %rd2; mov.b32 %r6, 2; mov.b32 %r7, 8;\n"
      "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;\n"
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [buffer], [%rd3, {%r7, %r6}], [bar];\n"
      "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra WAIT;\n"
      "ld.shared.b32 %r1, [buffer+4]; st.global.b32 [%rd1], %r1; ret; }\n");
  DeviceMemory memory;
  std::vector<std::uint32_t> tensor(800);
  for (std::uint32_t i = 0; i < 800; ++i)
    tensor[i] = i;
  std::uint64_t input = memory.allocate(3200), output = memory.allocate(4);
  memory.write(input, tensor.data(), 3200);
  TensorMap map;
  std::uint64_t extents[] = {40, 20}, strides[] = {160};
  std::uint32_t box[] = {4, 1}, steps[] = {1, 1};
  ASSERT_EQ(fill_tensor_map(map, 2, 2, input, extents, strides, box, steps, 0, 0), "");
  std::uint8_t parameters[192] = {};
  std::memcpy(parameters, &output, 8);
  std::memcpy(parameters + 64, &map, sizeof map);
  Launch what;
  what.parameters = parameters;
  auto report = launch(*module->find("k"), memory, what);
  ASSERT_FALSE(report) << report->text;
  std::uint32_t value = 0;
  memory.read(&value, output, 4);
  EXPECT_EQ(value, 2 * 40 + 9U);
}

TEST(Tensor, Errors) {
  std::string text =
      report_of(Problem::in_flight, load(3, 16, 128).substr(0, load(3, 16, 128).find("WAIT")) + "bar.sync 0;" + copy_out,
                tensor(4, 8), before);
  EXPECT_NE(text.find("is still to write"), std::string::npos) << text;
  std::string three = load(3, 16, 128);
  three.replace(three.find(".2d."), 4, ".3d.").replace(three.find("{%r7, %r6}"), 10, "{%r7, %r6, %r6}");
  text = report_of(Problem::out_of_bounds, three, tensor(4, 8), before);
  EXPECT_NE(text.find("the tensor map has 2 axes, and the instruction 3"), std::string::npos) << text;
  TensorMap map;
  std::uint64_t extents[] = {40, 20}, strides[] = {161};
  std::uint32_t box[] = {8, 4}, steps[] = {1, 1};
  EXPECT_NE(fill_tensor_map(map, 2, 2, 0, extents, strides, box, steps, 0, 0).find("multiple of 16 bytes"), std::string::npos);
  strides[0] = 160;
  EXPECT_NE(fill_tensor_map(map, 2, 2, 8, extents, strides, box, steps, 0, 0).find("address"), std::string::npos);
  box[0] = 16;
  EXPECT_NE(fill_tensor_map(map, 2, 2, 0, extents, strides, box, steps, 0, 1).find("more than the swizzle's 32"),
            std::string::npos);
  box[0] = 3;
  EXPECT_NE(fill_tensor_map(map, 2, 2, 0, extents, strides, box, steps, 0, 0).find("not a multiple of 16"), std::string::npos);
}

} // namespace
} // namespace ptxemu
