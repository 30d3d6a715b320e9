// Reductions and scans: what an operation combines, and by what. Reduce.cpp and Scan.cpp say how threads do it together.
#include "lib/lower/simt/Lower.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

/// Half precision is combined as f32; but by the kernel's own function as what that takes.
template <class Op> void Lowering::emitCombined(Op op) {
  constexpr bool byFunction = llvm::is_one_of<Op, ReduceByOp, ScanByOp>::value;
  constexpr bool isScan = llvm::is_one_of<Op, ScanOp, ScanByOp>::value;
  SmallVector<Registers> values;
  SmallVector<Type> types;
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    values.push_back(byFunction ? registersOf(operand) : widened(operand));
    types.push_back(byFunction ? element : accumulatorOf(element));
  }
  auto combine = [&](ArrayRef<Value> x, ArrayRef<Value> y) {
    if constexpr (byFunction) {
      Registers both(x);
      both.append(y.begin(), y.end());
      return math.apply(op.getCombiner(), both);
    } else {
      return Registers{math.combine(op.getCombiner(), types[0], x[0], y[0])};
    }
  };
  Value first = op->getOperand(0);
  Layout layout = layoutOf(first);
  ArrayRef<int64_t> shape = getShape(first.getType());
  auto axis = static_cast<int64_t>(op.getAxis());
  if constexpr (isScan)
    values = scanAlong(values, layout, shape, axis, op.getReverse(), types, combine);
  else
    values = reduceAlong(values, layout, shape, axis, types, /*inOrder=*/byFunction, combine);
  for (auto [result, type, registers] : llvm::zip(op->getResults(), types, values)) {
    Type element = getElementTypeOrSelf(result.getType());
    if (type != element)
      for (Value& value : registers)
        value = math.narrow(value, element);
    tiles[result] = registers;
  }
}
template void Lowering::emitCombined(ReduceOp);
template void Lowering::emitCombined(ReduceByOp);
template void Lowering::emitCombined(ScanOp);
template void Lowering::emitCombined(ScanByOp);

void Lowering::emitArgReduce(ArgReduceOp op) {
  Value operand = op.getOperand();
  Type type = accumulatorOf(getElementTypeOrSelf(operand.getType()));
  Layout layout = layoutOf(operand);
  ArrayRef<int64_t> shape = getShape(operand.getType());
  auto axis = static_cast<int64_t>(op.getAxis());
  Coordinates at = coordinates(layout, shape);
  Registers values = widened(operand), indices;
  for (uint32_t reg = 0; reg < values.size(); ++reg)
    indices.push_back(indexOf(at, axis, reg));
  auto combine = [&](ArrayRef<Value> x, ArrayRef<Value> y) { return math.better(op.getCombiner(), type, x, y); };
  tiles[op.getResult()] =
      reduceAlong({values, indices}, layout, shape, axis, {type, b.getI32Type()}, /*inOrder=*/false, combine)[1];
}

Registers Lowering::widened(Value tile) {
  Type element = getElementTypeOrSelf(tile.getType());
  Registers values = registersOf(tile);
  if (accumulatorOf(element) != element)
    for (Value& value : values)
      value = math.widen(value, element);
  return values;
}

} // namespace tegula::simt
