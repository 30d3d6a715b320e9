// ldmatrix, stmatrix, movmatrix and mma.sync. The layouts are written out as the documentation of PTX gives them.
#include <cmath>

#include "test/ptxemu/Harness.h"

namespace ptxemu {
namespace {

const std::string buffer = ".shared .align 128 .b8 buffer[1024];\n";

// 512 bytes in shared memory: element e of row r of matrix m is 64·m + 8·r + e.
std::string four_matrices() {
  return "mov.b32 %r1, buffer; mul.lo.s32 %r2, %r0, 16; add.s32 %r3, %r1, %r2; shl.b32 %r4, %r0, 3; shl.b32 %r5, %r0, 19; add.s32 "
         "%r5, %r5, 0x10000; or.b32 "
         "%r4, %r4, %r5;\n"
         "st.shared.b32 [%r3], %r4; add.s32 %r4, %r4, 0x20002; st.shared.b32 [%r3+4], %r4; add.s32 %r4, %r4, 0x20002; "
         "st.shared.b32 [%r3+8], %r4; add.s32 "
         "%r4, %r4, 0x20002; st.shared.b32 [%r3+12], %r4; bar.warp.sync -1;\n";
}
const std::string store4 =
    "mul.wide.u32 %rd20, %r0, 16; add.s64 %rd20, %rd1, %rd20; st.global.v4.b32 [%rd20], {%r10, %r11, %r12, %r13};";

Conditions wide() {
  Conditions conditions;
  conditions.outputs = 128;
  return conditions;
}

TEST(Matrix, Load) {
  auto out = output_of(four_matrices() + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r3];" + store4,
                       wide(), buffer);
  auto transposed = output_of(
      four_matrices() + "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r3];" + store4, wide(), buffer);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    for (std::uint32_t m = 0; m < 4; ++m) {
      std::uint32_t row = lane / 4, column = lane % 4 * 2;
      std::uint32_t at = 64 * m + 8 * row + column;
      EXPECT_EQ(out[4 * lane + m], at | (at + 1) << 16);
      std::uint32_t low = 64 * m + 8 * column + row;
      EXPECT_EQ(transposed[4 * lane + m], low | (low + 8) << 16);
    }
}

TEST(Matrix, StoreIsTheOpposite) {
  for (const char* form : {"", ".trans"}) {
    auto out = output_of(
        four_matrices() + "ldmatrix.sync.aligned.m8n8.x4" + form +
            ".shared.b16 {%r20, %r21, %r22, %r23}, [%r3]; add.s32 %r6, %r3, 512;" + "stmatrix.sync.aligned.m8n8.x4" + form +
            ".shared.b16 [%r6], {%r20, %r21, %r22, %r23}; bar.warp.sync -1; ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [%r6];" +
            store4,
        wide(), buffer);
    for (std::uint32_t i = 0; i < 128; ++i)
      EXPECT_EQ(out[i], (2 * i) | (2 * i + 1) << 16);
  }
}

TEST(Matrix, Transpose) {
  auto out = output_of(
      four_matrices() +
          "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r20, %r21}, [%r3]; movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r20; "
          "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r11}, [%r3]; sub.s32 %r10, %r10, %r11; mov.b32 %r12, 0; mov.b32 %r13, "
          "0; mov.b32 %r11, 0;" +
          store4,
      wide(), buffer);
  EXPECT_EQ(out, std::vector<std::uint32_t>(128, 0));
}

TEST(Matrix, NeedsTheWholeWarp) {
  std::string text = report_of(
      Problem::shuffle,
      four_matrices() + "setp.lt.u32 %p1, %r0, 8; @%p1 exit; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r3];", {}, buffer);
  EXPECT_NE(text.find("not all threads run"), std::string::npos) << text;
}

// Runs an mma with operands that are made lane by lane: registers of A, B and C in this order.
std::vector<std::uint32_t> multiply(const std::string& opcode, int a, int b, int c, const std::vector<std::uint32_t>& operands,
                                    bool wide_registers = false) {
  std::string loads, list[4];
  int all = a + b + c, words = wide_registers ? 2 : 1;
  for (int i = 0; i < all; ++i) {
    std::string name = (wide_registers ? "%rd" : "%r") + std::to_string(30 + i);
    loads +=
        std::string("ld.global.") + (wide_registers ? "b64 " : "b32 ") + name + ", [%rd2+" + std::to_string(4 * words * i) + "];";
    std::string& into = list[i < a ? 1 : i < a + b ? 2 : 3];
    into += (into.empty() ? "" : ", ") + name;
  }
  std::string stores;
  for (int i = 0; i < c; ++i) {
    std::string name = (wide_registers ? "%rd" : "%r") + std::to_string(10 + i);
    list[0] += (i ? ", " : "") + name;
    stores += std::string("st.global.") + (wide_registers ? "b64" : "b32") + " [%rd3+" + std::to_string(4 * words * i) + "], " +
              name + ";";
  }
  Conditions conditions;
  conditions.input = operands;
  conditions.outputs = static_cast<std::size_t>(32 * c * words);
  return output_of("mul.wide.u32 %rd2, %r0, " + std::to_string(4 * words * all) +
                       "; add.s64 %rd2, %rd0, %rd2; mul.wide.u32 %rd3, %r0, " + std::to_string(4 * words * c) +
                       "; add.s64 %rd3, %rd1, %rd3;\n" + loads + "\n" + opcode + " {" + list[0] + "}, {" + list[1] + "}, {" +
                       list[2] + "}, {" + list[3] + "};\n" + stores,
                   conditions);
}

int small(int row, int column, int salt) { return (row * 7 + column * 5 + salt * 3 + row * column) % 11 - 5; }

TEST(Mma, Bf16) {
  auto bf16 = [](int value) { return bits(static_cast<float>(value)) >> 16; };
  std::vector<std::uint32_t> operands;
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane / 4, thread = lane % 4;
    auto a = [&](int i) {
      int row = i < 2 || (i >= 4 && i < 6) ? group : group + 8, column = thread * 2 + (i & 1) + (i >= 4 ? 8 : 0);
      return bf16(small(row, column, 0));
    };
    auto b = [&](int i) { return bf16(small(thread * 2 + (i & 1) + (i >= 2 ? 8 : 0), group, 1)); };
    for (int i = 0; i < 8; i += 2)
      operands.push_back(a(i) | a(i + 1) << 16);
    for (int i = 0; i < 4; i += 2)
      operands.push_back(b(i) | b(i + 1) << 16);
    for (int i = 0; i < 4; ++i)
      operands.push_back(bits(static_cast<float>(i)));
  }
  auto out = multiply("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, operands);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      int row = i < 2 ? lane / 4 : lane / 4 + 8, column = lane % 4 * 2 + (i & 1), sum = i;
      for (int k = 0; k < 16; ++k)
        sum += small(row, k, 0) * small(k, column, 1);
      EXPECT_EQ(as_float(out[static_cast<std::size_t>(4 * lane + i)]), static_cast<float>(sum));
    }
}

TEST(Mma, SignedBytes) {
  std::vector<std::uint32_t> operands;
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane / 4, thread = lane % 4;
    auto word = [](auto element) {
      std::uint32_t result = 0;
      for (int i = 0; i < 4; ++i)
        result |= std::uint32_t(static_cast<std::uint8_t>(element(i))) << (8 * i);
      return result;
    };
    for (int r = 0; r < 4; ++r)
      operands.push_back(word([&](int i) { return small(r % 2 ? group + 8 : group, thread * 4 + i + (r >= 2 ? 16 : 0), 0) * 20; }));
    for (int r = 0; r < 2; ++r)
      operands.push_back(word([&](int i) { return small(thread * 4 + i + 16 * r, group, 1) * 25; }));
    for (int i = 0; i < 4; ++i)
      operands.push_back(static_cast<std::uint32_t>(-i));
  }
  auto out = multiply("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, operands);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      int row = i < 2 ? lane / 4 : lane / 4 + 8, column = lane % 4 * 2 + (i & 1), sum = -i;
      for (int k = 0; k < 32; ++k)
        sum += small(row, k, 0) * 20 * small(k, column, 1) * 25;
      EXPECT_EQ(static_cast<int>(out[static_cast<std::size_t>(4 * lane + i)]), sum);
    }
}

TEST(Mma, Tf32AndF64) {
  std::vector<std::uint32_t> operands, wide_operands;
  auto add_double = [&](double value) {
    wide_operands.push_back(static_cast<std::uint32_t>(bits(value)));
    wide_operands.push_back(static_cast<std::uint32_t>(bits(value) >> 32));
  };
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane / 4, thread = lane % 4;
    for (int i = 0; i < 4; ++i)
      operands.push_back(bits(static_cast<float>(small(i == 0 || i == 2 ? group : group + 8, i < 2 ? thread : thread + 4, 0))) |
                         0x1fff);
    for (int i = 0; i < 2; ++i)
      operands.push_back(bits(static_cast<float>(small(i ? thread + 4 : thread, group, 1))));
    for (int i = 0; i < 4; ++i)
      operands.push_back(0);
    add_double(small(group, thread, 0));
    add_double(small(thread, group, 1));
    add_double(0.5);
    add_double(-0.5);
  }
  auto out = multiply("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, operands);
  auto product = [](int row, int column, int length) {
    int sum = 0;
    for (int k = 0; k < length; ++k)
      sum += small(row, k, 0) * small(k, column, 1);
    return sum;
  };
  EXPECT_EQ(as_float(out[4 * 9 + 3]), static_cast<float>(product(2 + 8, 3, 8))); // the low 13 bits are not looked at
  auto doubles = multiply("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 1, 1, 2, wide_operands, true);
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t i = 0; i < 2; ++i) {
      std::uint64_t value = doubles[4 * lane + 2 * i] | std::uint64_t(doubles[4 * lane + 2 * i + 1]) << 32;
      EXPECT_EQ(as_double(value), product(static_cast<int>(lane / 4), static_cast<int>(lane % 4 * 2 + i), 4) + (i ? -0.5 : 0.5));
    }
}

TEST(Mma, F16AccumulatorAndE4m3) {
  // All ones: 16 products, and 32 of e4m3 (1.0 is 0x38).
  std::vector<std::uint32_t> ones(static_cast<std::size_t>(32 * 8), 0x3c003c00);
  EXPECT_EQ(multiply("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, ones)[0], 0x4c404c40U); // 17
  std::vector<std::uint32_t> bytes(static_cast<std::size_t>(32 * 10), 0x38383838);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (i % 10 >= 6)
      bytes[i] = bits(0.25F);
  EXPECT_EQ(as_float(multiply("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, 4, bytes)[5]), 32.25F);
}

} // namespace
} // namespace ptxemu
