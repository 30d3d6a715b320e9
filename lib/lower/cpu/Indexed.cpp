// Accesses by element positions along one axis: gather, scatter, and where accumulate_at goes.
// A position is compared with the tensor's extent before it is used, whoever vouches for it: one comparison for each slice.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

template <class Op> Window Lowering::indexedWindow(Op op, Type tile) {
  Window result = window(op.getView(), op.getIndices(), getShape(tile), op.getInside(), /*pad=*/{}, static_cast<int>(op.getAxis()));
  result.positions = inMemory(op.getIndex());
  return result;
}
template Window Lowering::indexedWindow(GatherOp, Type);
template Window Lowering::indexedWindow(ScatterOp, Type);
template Window Lowering::indexedWindow(AccumulateAtOp, Type);

/// In 64 bits; of a point with lanes along the indexed axis, a vector. What is too large for that is negative, and so outside.
Value Lowering::positionAt(const Window& window, const Point& at) {
  bool isAlong = at.lanes > 0 && at.axis == window.indexed;
  Point where{{at.index[window.indexed]}, isAlong ? 0 : -1, isAlong ? at.lanes : 0};
  return math.cast(loadFrom(window.positions, where), window.positions.element, b.getI64Type(), Rounding::nearest_even, false);
}

std::pair<Point, Value> Lowering::resolve(const Window& window, const Point& at) {
  Value inside = isInside(window, at);
  if (window.indexed < 0)
    return {at, inside};
  Point where = at;
  Value position = positionAt(window, at), extent = splat(window.view->extents[window.indexed], lanesOf(position));
  where.index[window.indexed] = position;
  Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position, extent);
  return {where, inside ? Value(arith::AndIOp::create(b, splat(inside, lanesOf(isThere)), isThere)) : isThere};
}

/// The addresses of lanes along the indexed axis, and which of them lie inside the tensor.
std::pair<Value, Value> Lowering::addressesAlong(const Window& window, const Point& at) {
  auto [where, inside] = resolve(window, at);
  Value positions = where.index[window.indexed];
  where.index[window.indexed] = index(0);
  Value offsets = arith::MulIOp::create(b, positions, splat(window.view->strides[window.indexed], at.lanes));
  return {advance(addressIn(window, where), offsets, window.view->element), inside};
}

Value Lowering::gatherAlong(const Window& window, const Point& at) {
  Type element = window.view->element;
  auto [addresses, inside] = addressesAlong(window, at);
  Value padding = toMemory(splat(window.pad, at.lanes), element);
  auto alignment = b.getI32IntegerAttr(static_cast<int32_t>(memoryBytes(element)));
  Type type = VectorType::get({at.lanes}, memoryType(element));
  return fromMemory(LLVM::masked_gather::create(b, type, addresses, inside, padding, alignment), element);
}

/// Lanes with one address are written in their order.
void Lowering::scatterAlong(const Window& window, const Point& at, Value value) {
  auto [addresses, inside] = addressesAlong(window, at);
  auto alignment = b.getI32IntegerAttr(static_cast<int32_t>(memoryBytes(window.view->element)));
  LLVM::masked_scatter::create(b, toMemory(value, window.view->element), addresses, inside, alignment);
}

void Lowering::emitScatter(ScatterOp op) {
  Value tile = op.getTile();
  ArrayRef<int64_t> shape = getShape(tile.getType());
  Window target = indexedWindow(op, tile.getType());
  if (op.getCheck())
    emitClaims(op, target);
  int run = contiguousAxis(target, shape), axis = run >= 0 ? run : laneAxis(shape);
  int64_t lanes = axis < 0 ? 0 : lanesFor({tile}, shape[axis]);
  versioned({tile}, &target, [&] { nest(shape, axis, lanes, [&](const Point& at) { storeTo(target, at, element(tile, at)); }); });
}

} // namespace tegula::cpu
