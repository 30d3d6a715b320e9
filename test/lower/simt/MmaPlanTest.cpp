// Products: each lane holds what the instruction's fragment says, in every instruction of every warp.
#include "lib/lower/simt/MmaPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace tegula::simt {
namespace {

struct Case {
  const char *name, *operand, *sum;
  int bits; // of an operand's element
  int64_t m, n, k, batch, warps;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name << " " << c.batch << "x" << c.m << "x" << c.n << "x" << c.k << ", " << c.warps << " warps";
}

struct Place {
  int64_t row, column;
  bool operator==(const Place&) const = default;
};

/// The fragments of mma.sync's instructions, as the PTX ISA gives them: the place of element `i` of a lane in the instruction's
/// tile.
struct Fragments {
  int bits;

  int64_t rows() const { return bits == 64 ? 8 : 16; }
  int64_t depth() const { return bits == 64 ? 4 : 256 / bits; }
  int elementsA() const { return bits == 64 ? 1 : 128 / bits; }
  int elementsB() const { return bits == 64 ? 1 : 64 / bits; }
  int elementsC() const { return bits == 64 ? 2 : 4; }

  Place a(int lane, int i) const {
    int group = lane >> 2, inGroup = lane % 4;
    switch (bits) {
    case 8:
      return {i < 4 || (i >= 8 && i < 12) ? group : group + 8, inGroup * 4 + (i & 3) + (i < 8 ? 0 : 16)};
    case 16:
      return {i < 2 || (i >= 4 && i < 6) ? group : group + 8, inGroup * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    case 32:
      return {i == 0 || i == 2 ? group : group + 8, i < 2 ? inGroup : inGroup + 4};
    default:
      return {group, inGroup};
    }
  }
  Place b(int lane, int i) const {
    int group = lane >> 2, inGroup = lane % 4;
    switch (bits) {
    case 8:
      return {inGroup * 4 + (i & 3) + (i < 4 ? 0 : 16), group};
    case 16:
      return {inGroup * 2 + (i & 1) + (i < 2 ? 0 : 8), group};
    case 32:
      return {i == 0 ? inGroup : inGroup + 4, group};
    default:
      return {inGroup, group};
    }
  }
  Place c(int lane, int i) const { return {(lane >> 2) + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)}; }
};

class Planned {
public:
  explicit Planned(const Case& c, int capability = 90) {
    context.loadDialect<tile::TileDialect, mlir::func::FuncDialect>();
    auto tile = [&](int64_t rows, int64_t columns, const char* element) {
      std::string batch = c.batch > 1 ? std::to_string(c.batch) + "x" : "";
      return "tensor<" + batch + std::to_string(rows) + "x" + std::to_string(columns) + "x" + element + ">";
    };
    std::string a = tile(c.m, c.k, c.operand), b = tile(c.k, c.n, c.operand), acc = tile(c.m, c.n, c.sum);
    std::string tf32 = c.bits == 32 && std::string(c.name) != "f32" ? " tf32" : "";
    std::string text = "func.func @product(%a: " + a + ", %b: " + b + ", %acc: " + acc + ") -> " + acc + " {\n" +
                       "  %r = tile.mma %a, %b, %acc" + tf32 + " : " + a + ", " + b + " -> " + acc + "\n  return %r : " + acc +
                       "\n}";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (module)
      module->walk([&](tile::MmaOp op) { plan = planMma(op, c.warps, capability); });
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<MmaPlan> plan;
};

uint32_t held(const Layout& layout, size_t reg, int lane, int64_t warp) {
  uint32_t element = layout.element(static_cast<uint32_t>(reg));
  for (size_t bit = 0; bit < layout.lanes.size(); ++bit)
    element ^= (static_cast<uint32_t>(lane) >> bit & 1) * layout.lanes[bit];
  for (size_t bit = 0; bit < layout.warps.size(); ++bit)
    element ^= (static_cast<uint32_t>(warp) >> bit & 1) * layout.warps[bit];
  return element;
}

/// Batch, row and column of an element.
struct Where {
  int64_t batch;
  Place place;
};
Where where(uint32_t element, int64_t rows, int64_t columns) {
  return {element / (rows * columns), {element / columns % rows, element % columns}};
}

class MmaPlans : public testing::TestWithParam<Case> {};

TEST_P(MmaPlans, LanesHoldTheInstructionsFragments) {
  const Case& c = GetParam();
  const Fragments fragments{c.bits};
  Planned planned(c);
  ASSERT_TRUE(planned.module);
  ASSERT_TRUE(planned.plan);
  const MmaPlan& plan = *planned.plan;
  ASSERT_EQ(plan.k, fragments.depth());
  ASSERT_EQ(plan.operandBytes * 8, c.bits);
  const int64_t steps = c.k / plan.k;
  const int64_t rows = plan.a.registerCount() / (fragments.elementsA() * steps * c.batch);
  const int64_t columns = plan.b.registerCount() / (fragments.elementsB() * steps * c.batch);
  ASSERT_EQ(plan.acc.registerCount(), rows * columns * c.batch * fragments.elementsC());

  // Instructions as Mma.cpp emits them, in each warp: batches, rows and columns of instruction tiles, steps along the depth.
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::set<int64_t>> sums; // element of the sum: warps that compute it
  for (int64_t warp = 0; warp < c.warps; ++warp)
    for (int64_t batch = 0; batch < c.batch; ++batch)
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column)
          for (int64_t step = 0; step < steps; ++step) {
            auto firstA = static_cast<size_t>(((batch * rows + row) * steps + step) * fragments.elementsA());
            auto firstB = static_cast<size_t>(((batch * columns + column) * steps + step) * fragments.elementsB());
            auto firstC = static_cast<size_t>(((batch * rows + row) * columns + column) * fragments.elementsC());
            Where origin = where(held(plan.acc, firstC, 0, warp), c.m, c.n);
            ASSERT_EQ(origin.batch, batch);
            ASSERT_EQ(origin.place.row % fragments.rows(), 0);
            ASSERT_EQ(origin.place.column % 8, 0);
            for (int lane = 0; lane < 32; ++lane) {
              for (int i = 0; i < fragments.elementsA(); ++i) {
                Where at = where(held(plan.a, firstA + static_cast<size_t>(i), lane, warp), c.m, c.k);
                Place in = fragments.a(lane, i);
                ASSERT_EQ(at.batch, batch);
                ASSERT_EQ(at.place, (Place{origin.place.row + in.row, step * plan.k + in.column}))
                    << "a" << i << " of lane " << lane;
              }
              for (int i = 0; i < fragments.elementsB(); ++i) {
                Where at = where(held(plan.b, firstB + static_cast<size_t>(i), lane, warp), c.k, c.n);
                Place in = fragments.b(lane, i);
                ASSERT_EQ(at.batch, batch);
                ASSERT_EQ(at.place, (Place{step * plan.k + in.row, origin.place.column + in.column}))
                    << "b" << i << " of lane " << lane;
              }
              for (int i = 0; i < fragments.elementsC(); ++i) {
                Where at = where(held(plan.acc, firstC + static_cast<size_t>(i), lane, warp), c.m, c.n);
                Place in = fragments.c(lane, i);
                ASSERT_EQ(at.batch, batch);
                ASSERT_EQ(at.place, (Place{origin.place.row + in.row, origin.place.column + in.column}))
                    << "c" << i << " of lane " << lane;
                sums[{at.batch, at.place.row, at.place.column}].insert(warp);
              }
            }
          }
  EXPECT_EQ(static_cast<int64_t>(sums.size()), c.batch * c.m * c.n) << "every element of the sum is computed";
  const int64_t instructions = c.m / fragments.rows() * (c.n / 8);
  const int64_t copies = std::max<int64_t>(1, c.warps / instructions);
  for (const auto& [element, warps] : sums)
    ASSERT_EQ(static_cast<int64_t>(warps.size()), copies) << "warps compute the same only if there are too many of them";
}

INSTANTIATE_TEST_SUITE_P(
    all, MmaPlans,
    testing::Values(Case{"f16", "f16", "f32", 16, 16, 8, 16, 1, 1}, Case{"bf16", "bf16", "f32", 16, 64, 64, 32, 1, 4},
                    Case{"bf16", "bf16", "f32", 16, 128, 16, 64, 1, 8}, Case{"bf16", "bf16", "f32", 16, 16, 128, 16, 2, 8},
                    Case{"f16", "f16", "f32", 16, 16, 16, 32, 4, 4}, Case{"tf32", "f32", "f32", 32, 32, 16, 32, 1, 2},
                    Case{"tf32", "f32", "f32", 32, 16, 8, 8, 2, 1}, Case{"i8", "i8", "i32", 8, 32, 32, 64, 1, 4},
                    Case{"u8", "ui8", "i32", 8, 16, 8, 32, 1, 2}, Case{"e4m3", "f8E4M3FN", "f32", 8, 64, 32, 128, 1, 2},
                    Case{"f64", "f64", "f64", 64, 16, 32, 8, 1, 2}, Case{"f64", "f64", "f64", 64, 8, 8, 4, 2, 1}));

TEST(MmaPlan, WithoutAnInstructionThereIsNone) {
  EXPECT_FALSE(Planned({"f32", "f32", "f32", 32, 64, 64, 64, 1, 4}).plan) << "f32 is not tf32";
  EXPECT_FALSE(Planned({"bf16", "bf16", "f32", 16, 8, 64, 64, 1, 4}).plan) << "too few rows";
  EXPECT_FALSE(Planned({"bf16", "bf16", "f32", 16, 64, 4, 64, 1, 4}).plan) << "too few columns";
  EXPECT_FALSE(Planned({"bf16", "bf16", "f32", 16, 64, 64, 8, 1, 4}).plan) << "too short";
  Case e4m3{"e4m3", "f8E4M3FN", "f32", 8, 64, 32, 128, 1, 2};
  EXPECT_FALSE(Planned(e4m3, 80).plan) << "sm_80 has none for f8";
  EXPECT_TRUE(Planned(e4m3, 89).plan);
}

} // namespace
} // namespace tegula::simt
