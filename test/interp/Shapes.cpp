// Operations that move elements.
#include "test/interp/Operations.h"

using namespace mlir;

namespace tegula::interp {

Tile broadcast(tile::BroadcastOp op, const Tile& operand) {
  Tile result(op.getType());
  size_t missing = result.shape.size() - operand.shape.size();
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index) {
    Shape source(index.drop_front(missing));
    for (size_t axis = 0; axis < source.size(); ++axis)
      if (operand.shape[axis] == 1)
        source[axis] = 0;
    result.bits[flatten(result.shape, index)] = operand.bits[flatten(operand.shape, source)];
  });
  return result;
}

Tile reshape(tile::ReshapeOp op, const Tile& operand) {
  Tile result(op.getType());
  result.bits = operand.bits;
  return result;
}

Tile permute(tile::PermuteOp op, const Tile& operand) {
  Tile result(op.getType());
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index) {
    Shape source(index.size());
    for (size_t axis = 0; axis < index.size(); ++axis)
      source[op.getPermutation()[axis]] = index[axis];
    result.bits[flatten(result.shape, index)] = operand.bits[flatten(operand.shape, source)];
  });
  return result;
}

Tile concat(tile::ConcatOp op, const Tile& lhs, const Tile& rhs) {
  Tile result(op.getType());
  int64_t axis = op.getAxis(), half = lhs.shape[axis];
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index) {
    Shape source(index);
    bool isLeft = index[axis] < half;
    if (!isLeft)
      source[axis] -= half;
    result.bits[flatten(result.shape, index)] = (isLeft ? lhs : rhs).bits[flatten(lhs.shape, source)];
  });
  return result;
}

bool isPieceOf(ArrayRef<int64_t> piece, ArrayRef<int64_t> whole, ArrayRef<int64_t> index) {
  for (size_t axis = 0; axis < whole.size(); ++axis)
    if (index[axis] < 0 || index[axis] >= whole[axis] / piece[axis])
      return false;
  return true;
}

/// Calls visit(place in the piece, place in the whole tile) for each element of a piece.
static void forEachInPiece(ArrayRef<int64_t> piece, ArrayRef<int64_t> whole, ArrayRef<int64_t> index,
                           llvm::function_ref<void(int64_t, int64_t)> visit) {
  forEachIndex(piece, [&](ArrayRef<int64_t> inner) {
    Shape outer(inner);
    for (size_t axis = 0; axis < outer.size(); ++axis)
      outer[axis] += index[axis] * piece[axis];
    visit(flatten(piece, inner), flatten(whole, outer));
  });
}

Tile extract(tile::ExtractOp op, const Tile& operand, ArrayRef<int64_t> index) {
  Tile result(op.getType());
  forEachInPiece(result.shape, operand.shape, index,
                 [&](int64_t inner, int64_t outer) { result.bits[inner] = operand.bits[outer]; });
  return result;
}

Tile insert(tile::InsertOp op, const Tile& piece, const Tile& operand, ArrayRef<int64_t> index) {
  Tile result = operand;
  forEachInPiece(piece.shape, operand.shape, index, [&](int64_t inner, int64_t outer) { result.bits[outer] = piece.bits[inner]; });
  return result;
}

} // namespace tegula::interp
