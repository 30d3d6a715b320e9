// Accesses by element positions along one axis: gather, scatter, and where accumulate_at goes.
// A position is compared with the tensor's extent before it is used, whoever vouches for it.
#include "lib/lower/simt/Lower.h"

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

Value Lowering::positionOf(const Window& window, const Coordinates& at, uint32_t reg) {
  // The index tile has the layout of the axis alone: its register is found by the element's part along the axis.
  AxisBits along = bitsOf(at.shape, window.indexed);
  uint32_t wanted = (at.layout.element(reg) & along.mask()) >> along.shift;
  for (uint32_t position = 0; position < window.positions.size(); ++position)
    if (window.positionsLayout.element(position) == wanted)
      return window.positions[position];
  llvm_unreachable("every element along the axis has a position");
}

} // namespace tegula::simt
