// Sorting: a bitonic network over pairs of a key and an index. Elements to be compared differ in one bit of their index along the
// axis, which is a bit of a register's, a lane's or a warp's number. Keys are integers ordered as the elements are; the values are
// fetched by their indices in the end. Where only a few of a long line are kept, Select.cpp does better.
#include "lib/lower/simt/Layouts.h"
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

using Order = arith::CmpIPredicate;

Value Lowering::keyOf(Value value, Type element, bool descending) {
  unsigned width = element.getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(width);
  auto number = [&](const APInt& n) -> Value { return arith::ConstantOp::create(b, IntegerAttr::get(bits, n)); };
  Value sign = number(APInt::getSignMask(width)), key = value;
  if (auto type = dyn_cast<FloatType>(element)) {
    key = value.getType() == bits ? value : Value(arith::BitcastOp::create(b, bits, value));
    Value magnitude = arith::AndIOp::create(b, key, number(APInt::getSignedMaxValue(width)));
    Value infinity = number(APFloat::getInf(type.getFloatSemantics()).bitcastToAPInt());
    Value isNan = arith::CmpIOp::create(b, Order::ugt, magnitude, infinity);
    Value isNegative = arith::CmpIOp::create(b, Order::slt, key, number(APInt::getZero(width)));
    Value isZero = arith::CmpIOp::create(b, Order::eq, magnitude, number(APInt::getZero(width)));
    Value flipped = arith::XOrIOp::create(b, key, number(APInt::getAllOnes(width)));
    Value ordered = arith::SelectOp::create(b, isNegative, flipped, Value(arith::OrIOp::create(b, key, sign)));
    ordered = arith::SelectOp::create(b, isZero, sign, ordered); // of both zeros
    key = arith::SelectOp::create(b, isNan, number(APInt::getAllOnes(width)), ordered);
  } else if (!element.isUnsignedInteger()) {
    key = arith::XOrIOp::create(b, key, sign);
  }
  if (descending)
    key = arith::XOrIOp::create(b, key, number(APInt::getAllOnes(width)));
  return width < 32 ? Value(arith::ExtUIOp::create(b, b.getI32Type(), key)) : key;
}

void Lowering::sortPairs(const Layout& layout, AxisBits along, Registers& keys, Registers& indices) {
  // Where a bit of the index along the axis is.
  auto find = [&](const Layout::Bases& bases, unsigned bit) -> int {
    auto* found = llvm::find(bases, 1u << (along.shift + bit));
    return found == bases.end() ? -1 : static_cast<int>(found - bases.begin());
  };
  auto isLess = [&](Value key, Value index, Value otherKey, Value otherIndex) -> Value {
    Value less = arith::CmpIOp::create(b, Order::ult, key, otherKey), equal = arith::CmpIOp::create(b, Order::eq, key, otherKey);
    Value earlier = arith::CmpIOp::create(b, Order::slt, index, otherIndex);
    return arith::OrIOp::create(b, less, arith::AndIOp::create(b, equal, earlier));
  };
  auto bitOf = [&](size_t reg, unsigned bit) -> Value { // of an element's place along the axis
    if (bit >= along.bits)
      return math.integer(b.getI1Type(), 0);
    if (int own = find(layout.registers, bit); own >= 0)
      return math.integer(b.getI1Type(), static_cast<int64_t>(reg >> own & 1));
    int inLane = find(layout.lanes, bit);
    Value number = inLane >= 0 ? lane : warp;
    int position = inLane >= 0 ? inLane : find(layout.warps, bit);
    return arith::CmpIOp::create(b, Order::ne, arith::AndIOp::create(b, number, i32(int64_t(1) << position)), i32(0));
  };
  auto exchange = [&](unsigned stage, unsigned bit) {
    size_t count = keys.size();
    if (int own = find(layout.registers, bit); own >= 0) {
      for (size_t reg = 0; reg < count; ++reg) {
        size_t other = reg | size_t(1) << own;
        if (other == reg)
          continue;
        Value wrong = isLess(keys[other], indices[other], keys[reg], indices[reg]); // for ascending runs
        Value swap = arith::XOrIOp::create(b, wrong, bitOf(reg, stage));
        for (Registers* both : {&keys, &indices}) {
          Value low = (*both)[reg], high = (*both)[other];
          (*both)[reg] = arith::SelectOp::create(b, swap, high, low);
          (*both)[other] = arith::SelectOp::create(b, swap, low, high);
        }
      }
      return;
    }
    Registers otherKeys, otherIndices;
    if (int inLane = find(layout.lanes, bit); inLane >= 0) {
      for (size_t reg = 0; reg < count; ++reg) {
        otherKeys.push_back(shuffle(keys[reg], int64_t(1) << inLane));
        otherIndices.push_back(shuffle(indices[reg], int64_t(1) << inLane));
      }
    } else {
      int64_t threads = warps * 32;
      SharedColumns columns = openShared({keys[0].getType(), b.getI32Type()}, static_cast<int64_t>(count) * threads);
      Value mine = arith::AddIOp::create(b, arith::MulIOp::create(b, warp, i32(32)), lane);
      Value theirs = arith::XOrIOp::create(b, mine, i32(int64_t(32) << find(layout.warps, bit)));
      auto place = [&](Value thread, size_t reg) {
        return arith::AddIOp::create(b, thread, i32(static_cast<int64_t>(reg) * threads));
      };
      for (size_t reg = 0; reg < count; ++reg)
        putRow(columns, place(mine, reg), {keys[reg], indices[reg]});
      barrier();
      for (size_t reg = 0; reg < count; ++reg) {
        Registers other = getRow(columns, place(theirs, reg));
        otherKeys.push_back(other[0]);
        otherIndices.push_back(other[1]);
      }
      closeShared();
    }
    for (size_t reg = 0; reg < count; ++reg) {
      // The lower one of the two keeps the smaller in an ascending run.
      Value keepsLarger = arith::XOrIOp::create(b, bitOf(reg, bit), bitOf(reg, stage));
      Value otherIsLess = isLess(otherKeys[reg], otherIndices[reg], keys[reg], indices[reg]);
      Value take = arith::XOrIOp::create(b, otherIsLess, keepsLarger);
      keys[reg] = arith::SelectOp::create(b, take, otherKeys[reg], keys[reg]);
      indices[reg] = arith::SelectOp::create(b, take, otherIndices[reg], indices[reg]);
    }
  };
  for (unsigned stage = 1; stage <= along.bits; ++stage)
    for (unsigned bit = stage; bit-- > 0;)
      exchange(stage, bit);
}

void Lowering::emitSort(SortOp op) {
  if (selects(op, warps))
    return emitSelect(op);
  Value operand = op.getOperand();
  Type element = getElementTypeOrSelf(operand.getType());
  ArrayRef<int64_t> shape = getShape(operand.getType());
  auto axis = static_cast<int64_t>(op.getAxis());
  Layout layout = layoutOf(operand);
  AxisBits along = bitsOf(shape, axis);
  Coordinates at = coordinates(layout, shape);
  Registers keys, indices;
  for (auto [reg, value] : llvm::enumerate(registersOf(operand))) {
    keys.push_back(keyOf(value, element, op.getDescending()));
    indices.push_back(indexOf(at, axis, static_cast<uint32_t>(reg)));
  }
  sortPairs(layout, along, keys, indices);

  // The first ones are kept, and their values fetched.
  Layout kept = layoutOf(op.getValues());
  Registers keptIndices = indices;
  int64_t extent = getShape(op.getValues().getType())[axis];
  if (kept != layout) {
    int64_t elements = getSize(op.getValues().getType());
    // Who holds what is not kept counts as a copy, and writes nothing.
    Layout shrunk = shortened(layout, shape, axis, extent);
    Registers chosen, moved;
    for (size_t reg = 0; reg < indices.size(); ++reg)
      if ((layout.element(static_cast<uint32_t>(reg)) & along.mask()) >> along.shift < extent)
        chosen.push_back(indices[reg]);
    inShared(elements, b.getI32Type(), [&](const SharedTile& tile) {
      writeShared(tile, shrunk, chosen);
      barrier();
      readShared(tile, kept, moved);
    });
    keptIndices = moved;
  }
  // Values: the tile as it was in shared memory, read at (…, index, …).
  Coordinates place = coordinates(kept, getShape(op.getValues().getType()));
  Registers values;
  inShared(getSize(operand.getType()), element, [&](const SharedTile& tile) {
    writeShared(tile, layout, registersOf(operand));
    barrier();
    for (size_t reg = 0; reg < keptIndices.size(); ++reg) {
      Value number = arith::MulIOp::create(b, keptIndices[reg], i32(int64_t(1) << along.shift));
      for (int64_t other = 0; other < static_cast<int64_t>(shape.size()); ++other)
        if (other != axis)
          number = arith::AddIOp::create(b, number,
                                         arith::MulIOp::create(b, indexOf(place, other, static_cast<uint32_t>(reg)),
                                                               i32(int64_t(1) << bitsOf(shape, other).shift)));
      Registers one(values.size() > reg ? Registers{values[reg]} : Registers{});
      readShared(tile, Layout{{}, Layout::Bases(5, 0), Layout::Bases(kept.warps.size(), 0)}, one, number);
      if (values.size() > reg)
        values[reg] = one[0];
      else
        values.push_back(one[0]);
    }
  });
  Type indexType = getElementTypeOrSelf(op.getIndices().getType());
  for (Value& index : keptIndices)
    index = math.cast(index, b.getI32Type(), indexType, Rounding::nearest_even, false);
  tiles[op.getValues()] = values;
  tiles[op.getIndices()] = keptIndices;
}

} // namespace tegula::simt
