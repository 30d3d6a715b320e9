// Accesses by element positions along one axis, or two: gather, scatter, and where accumulate_at goes.
// A position is compared with the tensor's extent before it is used, whoever vouches for it.
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

void Lowering::addPositions(Window& window, Value positions) {
  Registers& wide = window.positions.emplace_back();
  Type element = getElementTypeOrSelf(positions.getType());
  for (Value position : registersOf(positions)) // what is too large for 64 bits is negative, and so outside
    wide.push_back(math.cast(position, element, b.getI64Type(), Rounding::nearest_even, false));
  window.positionsLayout = layoutOf(positions); // that of all of them
}

uint32_t Lowering::positionRegister(const Window& window, const Coordinates& at, uint32_t reg) {
  // The index tiles have the layout of the axes alone: a register is found by the element's part along them.
  uint32_t wanted = alongAxes(at.layout.element(reg), at.shape, window.indexed);
  for (uint32_t position = 0; position < window.positions[0].size(); ++position)
    if (window.positionsLayout.element(position) == wanted)
      return position;
  llvm_unreachable("every element along the axes has a position");
}

Value Lowering::positionOf(const Window& window, const Coordinates& at, size_t axis, uint32_t reg) {
  auto number = llvm::find(window.indexed, static_cast<int64_t>(axis)) - window.indexed.begin();
  return window.positions[number][positionRegister(window, at, reg)];
}

/// Whether no two of the positions in a tile are equal, but for those that are none: it is read, as it is, from a tensor whose
/// values are certified to differ, and what lies outside of that reads as no position, or nothing lies outside.
bool Lowering::isDistinct(Value index) {
  while (auto change = index.getDefiningOp<RelayoutOp>())
    index = change.getOperand();
  auto load = index.getDefiningOp<LoadOp>();
  if (!load || !load.getView().getType().isDistinct())
    return false;
  APInt pad;
  if (load.getPad() && matchPattern(load.getPad(), m_ConstantInt(&pad)) && pad.isNegative() &&
      !getElementTypeOrSelf(load.getType()).isUnsignedInteger())
    return true;
  // A tile that touches a tensor of whole tiles lies inside.
  auto parts = llvm::zip(load.getView().getType().getShape(), getShape(load.getType()));
  return load.getInside() && views.find(load.getView())->second.whole &&
         llvm::all_of(parts, [](auto part) { return std::get<0>(part) % std::get<1>(part) == 0; });
}

/// Threads write in any order, but of equal positions in one tile the last must be left: every position is compared with all that
/// come after it.
void Lowering::hideOverwritten(Window& window, int64_t extent) {
  const Layout& layout = window.positionsLayout;
  const Registers& positions = window.positions[0];
  Coordinates at = coordinates(layout, {extent});
  Registers hidden(positions.size(), math.integer(b.getI1Type(), 0));
  inShared(extent, b.getI64Type(), [&](const SharedTile& tile) {
    writeShared(tile, layout, positions);
    barrier();
    auto loop = scf::ForOp::create(b, i32(0), i32(extent), i32(1), hidden);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    Registers other, next;
    readShared(tile, Layout{{}, Layout::Bases(5, 0), Layout::Bases(layout.warps.size(), 0)}, other, loop.getInductionVar());
    for (auto [reg, position] : llvm::enumerate(positions)) {
      Value isLater =
          arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, loop.getInductionVar(), indexOf(at, 0, static_cast<uint32_t>(reg)));
      Value isSame = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, other[0], position);
      next.push_back(
          arith::OrIOp::create(b, loop.getRegionIterArg(static_cast<unsigned>(reg)), arith::AndIOp::create(b, isLater, isSame)));
    }
    scf::YieldOp::create(b, next);
    hidden.assign(loop.getResults().begin(), loop.getResults().end());
  });
  window.overwritten = hidden;
}

} // namespace tegula::simt
