// Tiles made of tiles: concat, extract, insert.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

void Lowering::emitConcat(ConcatOp op) {
  Buffer into = allocateFor(op.getResult());
  Value parts[] = {op.getLhs(), op.getRhs()};
  auto along = static_cast<int>(op.getAxis());
  ArrayRef<int64_t> shape = getShape(op.getLhs().getType());
  int axis = laneAxis(shape);
  for (auto [number, part] : llvm::enumerate(parts)) {
    int64_t lanes = axis < 0 ? 0 : lanesFor({part}, shape[axis]);
    versioned({part}, nullptr, [&, part = part, number = number] {
      nest(shape, axis, lanes, [&](const Point& at) {
        Point target = at;
        target.index[along] = arith::AddIOp::create(b, at.index[along], index(static_cast<int64_t>(number) * shape[along]));
        storeTo(into, target, element(part, at));
      });
    });
  }
  buffers[op.getResult()] = into;
}

/// The offset of a sub-tile per axis. Of one that lies outside, which an assertion before it has noticed, the nearest that lies
/// inside.
SmallVector<Value> Lowering::offsetsWithin(ValueRange indices, ArrayRef<int64_t> whole, ArrayRef<int64_t> piece) {
  SmallVector<Value> offsets;
  for (auto [position, outer, inner] : llvm::zip(indices, whole, piece)) {
    Value at = scalar(position), last = index(outer / inner - 1);
    APInt known;
    if (!matchPattern(position, m_ConstantInt(&known)) || known.isNegative() || known.sge(outer / inner))
      at = arith::MinUIOp::create(b, at, last);
    offsets.push_back(arith::MulIOp::create(b, at, index(inner)));
  }
  return offsets;
}

void Lowering::emitInsert(InsertOp op) {
  ArrayRef<int64_t> whole = getShape(op.getType()), piece = getShape(op.getPiece().getType());
  SmallVector<Value> offsets = offsetsWithin(op.getIndices(), whole, piece);
  Buffer into = allocateFor(op.getResult());
  compute(op.getOperand(), into);
  int axis = laneAxis(piece);
  int64_t lanes = axis < 0 ? 0 : lanesFor({op.getPiece()}, piece[axis]);
  versioned({op.getPiece()}, nullptr, [&] {
    nest(piece, axis, lanes, [&](const Point& at) {
      Point target = at;
      for (auto [position, offset] : llvm::zip(target.index, offsets))
        position = arith::AddIOp::create(b, position, offset);
      storeTo(into, target, element(op.getPiece(), at));
    });
  });
  buffers[op.getResult()] = into;
}

} // namespace tegula::cpu
