// Folders and canonical forms. Only what is exact in every back end is folded: no transcendental functions.
#include "lib/dialect/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::tile {

//===----------------------------------------------------------------------===//
// Constants: a number, or a tile that repeats one
//===----------------------------------------------------------------------===//

/// The number that a constant repeats, or null.
static Attribute getNumber(Attribute value) {
  if (auto dense = dyn_cast_if_present<DenseElementsAttr>(value))
    return dense.isSplat() ? dense.getSplatValue<Attribute>() : Attribute();
  return isa_and_present<FloatAttr, IntegerAttr>(value) ? value : Attribute();
}

static std::optional<APInt> getInteger(Attribute value) {
  if (auto number = dyn_cast_if_present<IntegerAttr>(getNumber(value)))
    return number.getValue();
  return std::nullopt;
}

static std::optional<APFloat> getFloat(Attribute value) {
  if (auto number = dyn_cast_if_present<FloatAttr>(getNumber(value)))
    return number.getValue();
  return std::nullopt;
}

static Attribute repeat(Type type, Attribute number) {
  if (!number)
    return {};
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return DenseElementsAttr::get(tensor, number);
  return number;
}
static Attribute repeat(Type type, const APInt& value) { return repeat(type, IntegerAttr::get(getElementTypeOrSelf(type), value)); }
static Attribute repeat(Type type, const APFloat& value) { return repeat(type, FloatAttr::get(getElementTypeOrSelf(type), value)); }

static bool isInteger(Attribute value, uint64_t number) {
  std::optional<APInt> integer = getInteger(value);
  return integer && *integer == APInt(64, number).zextOrTrunc(integer->getBitWidth());
}

static bool isUnsigned(Type type) { return getElementTypeOrSelf(type).isUnsignedInteger(); }

TypedAttr ConstantOp::getElement() { return cast<TypedAttr>(getNumber(getValue())); }
OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult IotaOp::fold(FoldAdaptor) {
  if (getShape(getType())[getAxis()] != 1)
    return {};
  return repeat(getType(), APInt(getElementTypeOrSelf(getType()).getIntOrFloatBitWidth(), 0));
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

using IntegerRule = std::optional<APInt> (*)(const APInt&, const APInt&, bool isUnsigned);
using FloatRule = std::optional<APFloat> (*)(const APFloat&, const APFloat&);

static OpFoldResult foldBinary(Type type, Attribute lhs, Attribute rhs, IntegerRule onIntegers, FloatRule onFloats = nullptr) {
  if (auto a = getInteger(lhs), b = getInteger(rhs); a && b && onIntegers)
    if (auto value = onIntegers(*a, *b, isUnsigned(type)))
      return repeat(type, *value);
  if (auto a = getFloat(lhs), b = getFloat(rhs); a && b && onFloats)
    if (auto value = onFloats(*a, *b))
      return repeat(type, *value);
  return {};
}

OpFoldResult AddOp::fold(FoldAdaptor operands) {
  if (isInteger(operands.getRhs(), 0))
    return getLhs();
  return foldBinary(
      getType(), operands.getLhs(), operands.getRhs(), [](const APInt& a, const APInt& b, bool) { return std::optional(a + b); },
      [](const APFloat& a, const APFloat& b) { return std::optional(a + b); });
}

OpFoldResult SubOp::fold(FoldAdaptor operands) {
  if (isInteger(operands.getRhs(), 0))
    return getLhs();
  return foldBinary(
      getType(), operands.getLhs(), operands.getRhs(), [](const APInt& a, const APInt& b, bool) { return std::optional(a - b); },
      [](const APFloat& a, const APFloat& b) { return std::optional(a - b); });
}

OpFoldResult MulOp::fold(FoldAdaptor operands) {
  if (isInteger(operands.getRhs(), 1))
    return getLhs();
  if (isInteger(operands.getRhs(), 0))
    return operands.getRhs();
  if (auto factor = getFloat(operands.getRhs()); factor && factor->isExactlyValue(1.0))
    return getLhs();
  return foldBinary(
      getType(), operands.getLhs(), operands.getRhs(), [](const APInt& a, const APInt& b, bool) { return std::optional(a * b); },
      [](const APFloat& a, const APFloat& b) { return std::optional(a * b); });
}

OpFoldResult DivOp::fold(FoldAdaptor operands) {
  if (isInteger(operands.getRhs(), 1))
    return getLhs();
  if (auto divisor = getFloat(operands.getRhs()); divisor && divisor->isExactlyValue(1.0))
    return getLhs();
  return foldBinary(
      getType(), operands.getLhs(), operands.getRhs(),
      [](const APInt& a, const APInt& b, bool isUnsigned) {
        if (b.isZero())
          return std::optional(b);
        return std::optional(isUnsigned ? a.udiv(b) : a.sdiv(b));
      },
      [](const APFloat& a, const APFloat& b) { return std::optional(a / b); });
}

OpFoldResult RemOp::fold(FoldAdaptor operands) {
  return foldBinary(getType(), operands.getLhs(), operands.getRhs(), [](const APInt& a, const APInt& b, bool isUnsigned) {
    if (b.isZero())
      return std::optional(a);
    return std::optional(isUnsigned ? a.urem(b) : a.srem(b));
  });
}

OpFoldResult MinOp::fold(FoldAdaptor operands) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(
      getType(), operands.getLhs(), operands.getRhs(),
      [](const APInt& a, const APInt& b, bool isUnsigned) { return std::optional((isUnsigned ? a.ult(b) : a.slt(b)) ? a : b); },
      [](const APFloat& a, const APFloat& b) { return std::optional(minimum(a, b)); });
}

OpFoldResult MaxOp::fold(FoldAdaptor operands) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(
      getType(), operands.getLhs(), operands.getRhs(),
      [](const APInt& a, const APInt& b, bool isUnsigned) { return std::optional((isUnsigned ? a.ugt(b) : a.sgt(b)) ? a : b); },
      [](const APFloat& a, const APFloat& b) { return std::optional(maximum(a, b)); });
}

OpFoldResult AndOp::fold(FoldAdaptor operands) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(getType(), operands.getLhs(), operands.getRhs(),
                    [](const APInt& a, const APInt& b, bool) { return std::optional(a & b); });
}

OpFoldResult OrOp::fold(FoldAdaptor operands) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(getType(), operands.getLhs(), operands.getRhs(),
                    [](const APInt& a, const APInt& b, bool) { return std::optional(a | b); });
}

OpFoldResult XorOp::fold(FoldAdaptor operands) {
  return foldBinary(getType(), operands.getLhs(), operands.getRhs(),
                    [](const APInt& a, const APInt& b, bool) { return std::optional(a ^ b); });
}

OpFoldResult ShlOp::fold(FoldAdaptor operands) {
  if (isInteger(operands.getRhs(), 0))
    return getLhs();
  return foldBinary(getType(), operands.getLhs(), operands.getRhs(), [](const APInt& a, const APInt& b, bool) {
    return std::optional(b.uge(a.getBitWidth()) ? APInt::getZero(a.getBitWidth()) : a.shl(b));
  });
}

OpFoldResult ShrOp::fold(FoldAdaptor operands) {
  if (isInteger(operands.getRhs(), 0))
    return getLhs();
  return foldBinary(getType(), operands.getLhs(), operands.getRhs(), [](const APInt& a, const APInt& b, bool isUnsigned) {
    APInt amount = b.ult(a.getBitWidth()) ? b : APInt(a.getBitWidth(), a.getBitWidth() - 1);
    if (isUnsigned)
      return std::optional(b.uge(a.getBitWidth()) ? APInt::getZero(a.getBitWidth()) : a.lshr(amount));
    return std::optional(a.ashr(amount));
  });
}

OpFoldResult PowOp::fold(FoldAdaptor operands) {
  if (auto exponent = getFloat(operands.getRhs()); exponent && exponent->isExactlyValue(1.0))
    return getLhs();
  return {};
}

OpFoldResult NegOp::fold(FoldAdaptor operands) {
  if (auto inner = getOperand().getDefiningOp<NegOp>())
    return inner.getOperand();
  if (auto value = getInteger(operands.getOperand()))
    return repeat(getType(), -*value);
  if (auto value = getFloat(operands.getOperand()))
    return repeat(getType(), neg(*value));
  return {};
}

OpFoldResult NotOp::fold(FoldAdaptor operands) {
  if (auto inner = getOperand().getDefiningOp<NotOp>())
    return inner.getOperand();
  if (auto value = getInteger(operands.getOperand()))
    return repeat(getType(), ~*value);
  return {};
}

OpFoldResult AbsOp::fold(FoldAdaptor operands) {
  if (auto value = getInteger(operands.getOperand()))
    return repeat(getType(), isUnsigned(getType()) ? *value : value->abs());
  if (auto value = getFloat(operands.getOperand()))
    return repeat(getType(), abs(*value));
  return {};
}

static OpFoldResult foldRounding(Type type, Value operand, Attribute constant, APFloat::roundingMode mode, bool isIdempotent) {
  if (isIdempotent)
    return operand;
  if (auto value = getFloat(constant)) {
    value->roundToIntegral(mode);
    return repeat(type, *value);
  }
  return {};
}

static bool isIntegral(Value value) {
  Operation* op = value.getDefiningOp();
  return isa_and_present<FloorOp, CeilOp, RoundOp, TruncOp>(op);
}

OpFoldResult FloorOp::fold(FoldAdaptor operands) {
  return foldRounding(getType(), getOperand(), operands.getOperand(), APFloat::rmTowardNegative, isIntegral(getOperand()));
}
OpFoldResult CeilOp::fold(FoldAdaptor operands) {
  return foldRounding(getType(), getOperand(), operands.getOperand(), APFloat::rmTowardPositive, isIntegral(getOperand()));
}
OpFoldResult RoundOp::fold(FoldAdaptor operands) {
  return foldRounding(getType(), getOperand(), operands.getOperand(), APFloat::rmNearestTiesToEven, isIntegral(getOperand()));
}
OpFoldResult TruncOp::fold(FoldAdaptor operands) {
  return foldRounding(getType(), getOperand(), operands.getOperand(), APFloat::rmTowardZero, isIntegral(getOperand()));
}

OpFoldResult CmpOp::fold(FoldAdaptor operands) {
  auto a = getInteger(operands.getLhs()), b = getInteger(operands.getRhs());
  if (!a || !b)
    return {};
  bool less = isUnsigned(getLhs().getType()) || a->getBitWidth() == 1 ? a->ult(*b) : a->slt(*b), equal = *a == *b, value = false;
  switch (getPredicate()) {
  case Predicate::eq:
    value = equal;
    break;
  case Predicate::ne:
    value = !equal;
    break;
  case Predicate::lt:
    value = less;
    break;
  case Predicate::le:
    value = less || equal;
    break;
  case Predicate::gt:
    value = !less && !equal;
    break;
  case Predicate::ge:
    value = !less;
    break;
  }
  return repeat(getType(), APInt(1, value));
}

OpFoldResult SelectOp::fold(FoldAdaptor operands) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  if (auto condition = getInteger(operands.getCondition()))
    return condition->isZero() ? getOnFalse() : getOnTrue();
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor operands) {
  if (getType() == getOperand().getType())
    return getOperand();
  Type from = getElementTypeOrSelf(getOperand().getType()), to = getElementTypeOrSelf(getType());
  auto value = getInteger(operands.getOperand());
  bool fromUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  if (!value || getSaturate())
    return {};
  if (to.isInteger(1))
    return repeat(getType(), APInt(1, !value->isZero()));
  if (auto integer = dyn_cast<IntegerType>(to))
    return repeat(getType(), fromUnsigned ? value->zextOrTrunc(integer.getWidth()) : value->sextOrTrunc(integer.getWidth()));
  if (isa<Float8E8M0FNUType>(to)) // APFloat loses the sign
    return {};
  APFloat number(cast<FloatType>(to).getFloatSemantics());
  if (number.convertFromAPInt(*value, !fromUnsigned, APFloat::rmNearestTiesToEven) != APFloat::opOK)
    return {};
  return repeat(getType(), number);
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getType() == getOperand().getType())
    return getOperand();
  return {};
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor operands) {
  if (getType() == getOperand().getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<BroadcastOp>()) {
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return repeat(getType(), getNumber(operands.getOperand()));
}

OpFoldResult ReshapeOp::fold(FoldAdaptor operands) {
  if (getType() == getOperand().getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return repeat(getType(), getNumber(operands.getOperand()));
}

OpFoldResult PermuteOp::fold(FoldAdaptor operands) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, static_cast<int64_t>(permutation.size()))))
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<PermuteOp>()) {
    SmallVector<int64_t> composed;
    for (int64_t axis : permutation)
      composed.push_back(inner.getPermutation()[axis]);
    setPermutation(composed);
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return repeat(getType(), getNumber(operands.getOperand()));
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  if (getShape(getOperand().getType())[getAxis()] == 1)
    return getOperand();
  return {};
}

LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter& rewriter) {
  Attribute condition;
  if (!matchPattern(op.getCondition(), m_Constant(&condition)) || !isInteger(condition, 1))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

} // namespace tegula::tile
