#include "lib/lower/simt/MmaPlan.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tegula::simt {

namespace {

/// Bits of row, column and depth that one kind of thread bit or register bit stands for, as bases of the three tiles.
class Bits {
public:
  Bits(ArrayRef<int64_t> shape, ArrayRef<int64_t> shapeA, ArrayRef<int64_t> shapeB)
      : rank(static_cast<int64_t>(shape.size())), shape(shape), shapeA(shapeA), shapeB(shapeB) {}

  // One bit of the index along an axis, in the number of an element of each tile; 0 where the tile has no such axis.
  struct Bit {
    uint32_t a, b, acc;
  };
  Bit row(int64_t value) const { return {at(shapeA, rank - 2, value), 0, at(shape, rank - 2, value)}; }
  Bit column(int64_t value) const { return {0, at(shapeB, rank - 1, value), at(shape, rank - 1, value)}; }
  Bit depth(int64_t value) const { return {at(shapeA, rank - 1, value), at(shapeB, rank - 2, value), 0}; }
  Bit batch(int64_t axis, int64_t value) const {
    return {at(shapeA, axis, value), at(shapeB, axis, value), at(shape, axis, value)};
  }

private:
  static uint32_t at(ArrayRef<int64_t> shape, int64_t axis, int64_t value) {
    return static_cast<uint32_t>(value) << bitsOf(shape, axis).shift;
  }
  int64_t rank;
  ArrayRef<int64_t> shape, shapeA, shapeB;
};

} // namespace

/// What mma.sync takes: bytes of an operand's element, or 0.
static int64_t operandBytes(tile::MmaOp op, int capability) {
  Type element = getElementTypeOrSelf(op.getA().getType());
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return capability >= 89 ? 1 : 0;
  if (element.isF32() && !op.getTf32())
    return 0;
  return element.getIntOrFloatBitWidth() / 8;
}

std::optional<MmaPlan> planMma(tile::MmaOp op, int64_t warps, int capability) {
  int64_t bytes = operandBytes(op, capability);
  if (bytes == 0)
    return std::nullopt;
  ArrayRef<int64_t> shape = tile::getShape(op.getType()), shapeA = tile::getShape(op.getA().getType()),
                    shapeB = tile::getShape(op.getB().getType());
  auto rank = static_cast<int64_t>(shape.size());
  int64_t m = shape[rank - 2], n = shape[rank - 1], depth = shapeA[rank - 1];
  bool isDouble = bytes == 8;
  int64_t instructionM = isDouble ? 8 : 16, k = isDouble ? 4 : 32 / bytes;
  if (m < instructionM || n < 8 || depth < k)
    return std::nullopt;

  Bits bits(shape, shapeA, shapeB);
  MmaPlan plan{{}, {}, {}, k, bytes};
  // Within a register of 32 bits: neighbours along the depth. Four lanes then share a row of A, a column of B and a row of acc.
  int64_t packed = isDouble ? 1 : 4 / bytes;
  for (int64_t bit = 1; bit < packed; bit *= 2) {
    plan.a.registers.push_back(bits.depth(bit).a);
    plan.b.registers.push_back(bits.depth(bit).b);
  }
  plan.acc.registers.push_back(bits.column(1).acc);
  for (int64_t bit : {1, 2}) {
    plan.a.lanes.push_back(bits.depth(bit * packed).a);
    plan.b.lanes.push_back(bits.depth(bit * packed).b);
    plan.acc.lanes.push_back(bits.column(bit * 2).acc);
  }
  for (int64_t bit : {1, 2, 4}) {
    plan.a.lanes.push_back(bits.row(bit).a);
    plan.b.lanes.push_back(bits.column(bit).b);
    plan.acc.lanes.push_back(bits.row(bit).acc);
  }
  if (!isDouble) {
    plan.a.registers.push_back(bits.row(8).a);
    plan.acc.registers.push_back(bits.row(8).acc);
    plan.a.registers.push_back(bits.depth(4 * packed).a);
    plan.b.registers.push_back(bits.depth(4 * packed).b);
  }
  // The rest: warps share out rows and columns, what has more left first; each then loops over what is left.
  for (int64_t bit = k; bit < depth; bit *= 2) {
    plan.a.registers.push_back(bits.depth(bit).a);
    plan.b.registers.push_back(bits.depth(bit).b);
  }
  int64_t nextRow = instructionM, nextColumn = 8;
  for (int64_t count = 1; count < warps; count *= 2) {
    bool hasRows = nextRow < m, hasColumns = nextColumn < n;
    bool takesRow = hasRows && (!hasColumns || m / nextRow >= n / nextColumn);
    Bits::Bit bit = takesRow ? bits.row(nextRow) : hasColumns ? bits.column(nextColumn) : Bits::Bit{0, 0, 0};
    if (takesRow)
      nextRow *= 2;
    else if (hasColumns)
      nextColumn *= 2;
    plan.a.warps.push_back(bit.a);
    plan.b.warps.push_back(bit.b);
    plan.acc.warps.push_back(bit.acc);
  }
  auto add = [&](Bits::Bit bit) {
    if (bit.a)
      plan.a.registers.push_back(bit.a);
    if (bit.b)
      plan.b.registers.push_back(bit.b);
    if (bit.acc)
      plan.acc.registers.push_back(bit.acc);
  };
  for (; nextColumn < n; nextColumn *= 2)
    add(bits.column(nextColumn));
  for (; nextRow < m; nextRow *= 2)
    add(bits.row(nextRow));
  for (int64_t axis = rank - 3; axis >= 0; --axis)
    for (int64_t bit = 1; bit < shape[axis]; bit *= 2)
      add(bits.batch(axis, bit));
  return plan;
}

} // namespace tegula::simt
