// Tiles made of other tiles' elements.
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

Registers Lowering::emitIota(IotaOp op) {
  Layout layout = layoutOf(op.getResult());
  Coordinates at = coordinates(layout, getShape(op.getType()));
  Registers result;
  for (uint32_t reg = 0; reg < layout.registerCount(); ++reg) {
    Value index = indexOf(at, static_cast<int64_t>(op.getAxis()), reg);
    result.push_back(math.cast(index, b.getI32Type(), getElementTypeOrSelf(op.getType()), Rounding::nearest_even, false));
  }
  return result;
}

Registers Lowering::emitBroadcast(BroadcastOp op) {
  Layout layout = layoutOf(op.getResult());
  Value operand = op.getOperand();
  Registers result;
  if (!isa<RankedTensorType>(operand.getType())) {
    result.assign(static_cast<size_t>(layout.registerCount()), scalar(operand));
    return result;
  }
  // The operand's layout is the result's without the bits that only copy: those of a register's number are left out.
  const Registers& from = registersOf(operand);
  ArrayRef<int64_t> to = getShape(op.getType()), shape = getShape(operand.getType());
  SmallVector<bool> isKept;
  for (uint32_t base : layout.registers) {
    Layout one{{base}, {}, {}};
    isKept.push_back(!ofBroadcastOperand(one, to, shape).registers.empty());
  }
  for (uint32_t reg = 0; reg < layout.registerCount(); ++reg) {
    uint32_t source = 0, next = 0;
    for (auto [bit, kept] : llvm::enumerate(isKept))
      if (kept)
        source |= (reg >> bit & 1) << next++;
    result.push_back(from[source]);
  }
  return result;
}

Registers Lowering::emitConcat(ConcatOp op) {
  Registers result = registersOf(op.getLhs());
  llvm::append_range(result, registersOf(op.getRhs()));
  return result;
}

/// The element of a tile with one element: every thread has a copy.
Value Lowering::firstElement(Value tile) { return registersOf(tile)[0]; }

/// A piece's layout as that of elements of the whole tile.
static Layout within(const Layout& piece, ArrayRef<int64_t> shape, ArrayRef<int64_t> whole) {
  return piece.mapped([&](uint32_t base) {
    uint32_t mapped = 0;
    for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis) {
      AxisBits from = bitsOf(shape, axis), to = bitsOf(whole, axis);
      mapped |= ((base & from.mask()) >> from.shift) << to.shift;
    }
    return mapped;
  });
}

/// The number, in the whole tile, of a piece's first element, as i32. Of one that lies outside, which an assertion before it has
/// noticed, the nearest that lies inside.
Value Lowering::offsetWithin(ValueRange indices, ArrayRef<int64_t> whole, ArrayRef<int64_t> piece) {
  Value offset = i32(0);
  for (auto [axis, position] : llvm::enumerate(indices)) {
    Value at = scalar(position), last = i64(whole[axis] / piece[axis] - 1);
    APInt known;
    if (!matchPattern(position, m_ConstantInt(&known)) || known.isNegative() || known.sge(whole[axis] / piece[axis]))
      at = arith::MinUIOp::create(b, at, last);
    int64_t step = piece[axis] << bitsOf(whole, static_cast<int64_t>(axis)).shift;
    offset = arith::AddIOp::create(b, offset, arith::MulIOp::create(b, arith::TruncIOp::create(b, b.getI32Type(), at), i32(step)));
  }
  return offset;
}

Registers Lowering::emitExtract(ExtractOp op) {
  Value operand = op.getOperand();
  ArrayRef<int64_t> whole = getShape(operand.getType()), piece = getShape(op.getType());
  Value offset = offsetWithin(op.getIndices(), whole, piece);
  Registers result;
  inShared(getSize(operand.getType()), getElementTypeOrSelf(operand.getType()), [&](const SharedTile& tile) {
    writeShared(tile, layoutOf(operand), registersOf(operand));
    barrier();
    readShared(tile, within(layoutOf(op.getResult()), piece, whole), result, offset);
  });
  return result;
}

Registers Lowering::emitInsert(InsertOp op) {
  Value operand = op.getOperand();
  ArrayRef<int64_t> whole = getShape(op.getType()), shape = getShape(op.getPiece().getType());
  Value offset = offsetWithin(op.getIndices(), whole, shape);
  Registers result;
  inShared(getSize(op.getType()), getElementTypeOrSelf(op.getType()), [&](const SharedTile& tile) {
    writeShared(tile, layoutOf(operand), registersOf(operand));
    barrier();
    writeShared(tile, within(layoutOf(op.getPiece()), shape, whole), registersOf(op.getPiece()), offset);
    barrier();
    readShared(tile, layoutOf(op.getResult()), result);
  });
  return result;
}

} // namespace tegula::simt
