// What one element of a tile is, or a vector of neighbours along an axis.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

Value Lowering::splat(Value value, int64_t lanes) {
  if (lanes == 0 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(b, VectorType::get({lanes}, value.getType()), value);
}

Value Lowering::element(Value tile, const Point& at) {
  if (!isa<RankedTensorType>(tile.getType()))
    return splat(scalar(tile), at.lanes);
  for (const Known& entry : known)
    if (entry.tile == tile && entry.at.axis == at.axis && entry.at.lanes == at.lanes && entry.at.index == at.index)
      return entry.element;
  auto buffer = buffers.find(tile);
  Value value = buffer != buffers.end() ? loadFrom(buffer->second, at) : computeElement(tile.getDefiningOp(), at);
  known.push_back({tile, at, value});
  return value;
}

Value Lowering::computeElement(Operation* op, const Point& at) {
  return llvm::TypeSwitch<Operation*, Value>(op)
      .Case([&](ConstantOp constant) { return splat(math.constant(constant.getElement()), at.lanes); })
      .Case([&](IotaOp iota) -> Value {
        auto axis = static_cast<int>(iota.getAxis());
        Value position = splat(at.index[axis], at.lanes);
        if (at.lanes > 0 && at.axis == axis) {
          auto steps = llvm::to_vector(llvm::seq<int64_t>(0, at.lanes));
          auto type = VectorType::get({at.lanes}, b.getI64Type());
          Value lane = arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int64_t>(steps)));
          position = arith::AddIOp::create(b, position, lane);
        }
        return math.cast(position, b.getI64Type(), getElementTypeOrSelf(iota.getType()), Rounding::nearest_even, false);
      })
      .Case([&](BroadcastOp repeat) {
        Point from = repeated(repeat, at);
        return splat(element(repeat.getOperand(), from), at.lanes);
      })
      .Case([&](ReshapeOp reshape) {
        if (keepsAxes(reshape) || !isa<RankedTensorType>(reshape.getOperand().getType()))
          return splat(element(reshape.getOperand(), reshaped(reshape, at)), at.lanes);
        Buffer same = buffers.find(reshape.getOperand())->second;
        same.shape.assign(getShape(reshape.getType()).begin(), getShape(reshape.getType()).end());
        return loadFrom(same, at);
      })
      .Case([&](PermuteOp permute) {
        Point from{SmallVector<Value, 6>(at.index.size()), -1, at.lanes};
        for (auto [to, axis] : llvm::enumerate(permute.getPermutation())) {
          from.index[axis] = at.index[to];
          if (static_cast<int>(to) == at.axis)
            from.axis = static_cast<int>(axis);
        }
        return element(permute.getOperand(), from);
      })
      .Case([&](ExtractOp extract) {
        Point from = at;
        for (auto [position, offset] : llvm::zip(from.index, pieceOffsets[op]))
          position = arith::AddIOp::create(b, position, offset);
        return element(extract.getOperand(), from);
      })
      .Case([&](AccessOpInterface) { return loadFrom(windows[op], at); })
      .Default([&](Operation* elementwise) {
        SmallVector<Value> operands;
        for (Value operand : elementwise->getOperands())
          operands.push_back(element(operand, at));
        return math.emit(elementwise, operands);
      });
}

/// Where in the operand of a broadcast an element of its result comes from. Without lanes if all of them come from one place.
Point Lowering::repeated(BroadcastOp op, const Point& at) {
  ArrayRef<int64_t> from = getShape(op.getOperand().getType());
  size_t missing = at.index.size() - from.size();
  Point result;
  for (auto [axis, extent] : llvm::enumerate(from)) {
    bool isRepeated = extent == 1;
    result.index.push_back(isRepeated ? index(0) : at.index[missing + axis]);
    if (static_cast<int>(missing + axis) == at.axis && !isRepeated) {
      result.axis = static_cast<int>(axis);
      result.lanes = at.lanes;
    }
  }
  return result;
}

/// The same for a reshape that only adds or drops axes of extent 1.
Point Lowering::reshaped(ReshapeOp op, const Point& at) {
  Point result;
  ArrayRef<int64_t> to = getShape(op.getType());
  size_t next = 0;
  for (int64_t extent : getShape(op.getOperand().getType())) {
    if (extent == 1) {
      result.index.push_back(index(0));
      continue;
    }
    while (to[next] == 1)
      ++next;
    if (static_cast<int>(next) == at.axis) {
      result.axis = static_cast<int>(result.index.size());
      result.lanes = at.lanes;
    }
    result.index.push_back(at.index[next++]);
  }
  return result;
}

} // namespace tegula::cpu
