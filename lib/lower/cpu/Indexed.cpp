// Accesses by element positions along one axis, or two: gather, scatter, and where accumulate_at goes.
// A position is compared with the tensor's extent before it is used, whoever vouches for it: one comparison for each slice.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

/// In 64 bits; of a point with lanes along an indexed axis, a vector. What is too large for that is negative, and so outside.
Value Lowering::positionAt(const Window& window, const Point& at, size_t number) {
  Point where;
  for (auto [place, axis] : llvm::enumerate(window.indexed)) {
    where.index.push_back(at.index[axis]);
    if (at.lanes > 0 && at.axis == axis) {
      where.axis = static_cast<int>(place);
      where.lanes = at.lanes;
    }
  }
  const Buffer& positions = window.positions[number];
  return math.cast(loadFrom(positions, where), positions.element, b.getI64Type(), Rounding::nearest_even, false);
}

std::pair<Point, Value> Lowering::resolve(const Window& window, const Point& at) {
  Value inside = isInside(window, at);
  Point where = at;
  for (auto [number, axis] : llvm::enumerate(window.indexed)) {
    Value position = positionAt(window, at, number), extent = splat(window.view->extents[axis], lanesOf(position));
    where.index[axis] = position;
    Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position, extent);
    inside = inside ? Value(arith::AndIOp::create(b, splat(inside, lanesOf(isThere)), isThere)) : isThere;
  }
  return {where, inside};
}

/// The addresses of lanes along an indexed axis, and which of them lie inside the tensor.
std::pair<Value, Value> Lowering::addressesAlong(const Window& window, const Point& at) {
  auto [where, inside] = resolve(window, at);
  Value offsets;
  for (int64_t axis : window.indexed) {
    Value steps = arith::MulIOp::create(b, where.index[axis], splat(window.view->strides[axis], at.lanes));
    offsets = offsets ? Value(arith::AddIOp::create(b, offsets, steps)) : steps;
    where.index[axis] = index(0);
  }
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
  Window target = windowOf(op);
  if (op.getCheck())
    emitClaims(op, target);
  int run = contiguousAxis(target, shape), axis = run >= 0 ? run : laneAxis(shape);
  int64_t lanes = axis < 0 ? 0 : lanesFor({tile}, shape[axis]);
  versioned({tile}, &target, [&] { nest(shape, axis, lanes, [&](const Point& at) { storeTo(target, at, element(tile, at)); }); });
}

} // namespace tegula::cpu
