// Accesses by element positions along one axis: gather, scatter, and where accumulate_at goes.
// A position is compared with the tensor's extent before it is used, whoever vouches for it.
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

template <class Op> Window Lowering::indexedWindow(Op op, Type tile) {
  Window result = window(op.getView(), op.getIndices(), getShape(tile), op.getInside(), /*pad=*/{}, static_cast<int>(op.getAxis()));
  Type element = getElementTypeOrSelf(op.getIndex().getType());
  for (Value position : registersOf(op.getIndex())) // what is too large for 64 bits is negative, and so outside
    result.positions.push_back(math.cast(position, element, b.getI64Type(), Rounding::nearest_even, false));
  result.positionsLayout = layoutOf(op.getIndex());
  return result;
}
template Window Lowering::indexedWindow(GatherOp, Type);
template Window Lowering::indexedWindow(ScatterOp, Type);
template Window Lowering::indexedWindow(AccumulateAtOp, Type);

uint32_t Lowering::positionRegister(const Window& window, const Coordinates& at, uint32_t reg) {
  // The index tile has the layout of the axis alone: its register is found by the element's part along the axis.
  AxisBits along = bitsOf(at.shape, window.indexed);
  uint32_t wanted = (at.layout.element(reg) & along.mask()) >> along.shift;
  for (uint32_t position = 0; position < window.positions.size(); ++position)
    if (window.positionsLayout.element(position) == wanted)
      return position;
  llvm_unreachable("every element along the axis has a position");
}

Value Lowering::positionOf(const Window& window, const Coordinates& at, uint32_t reg) {
  return window.positions[positionRegister(window, at, reg)];
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
  Coordinates at = coordinates(layout, {extent});
  Registers hidden(window.positions.size(), math.integer(b.getI1Type(), 0));
  inShared(extent, b.getI64Type(), [&](const SharedTile& tile) {
    writeShared(tile, layout, window.positions);
    barrier();
    auto loop = scf::ForOp::create(b, i32(0), i32(extent), i32(1), hidden);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    Registers other, next;
    readShared(tile, Layout{{}, Layout::Bases(5, 0), Layout::Bases(layout.warps.size(), 0)}, other, loop.getInductionVar());
    for (auto [reg, position] : llvm::enumerate(window.positions)) {
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
