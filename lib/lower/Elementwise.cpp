#include "lib/lower/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula {

/// In a reduction, whose order is free, which zero wins is not worth an instruction.
constexpr auto anyZero = arith::FastMathFlags::nsz;

Type registerType(Type element) {
  if (element.isF32() || element.isF64())
    return element;
  return IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
}

Type memoryType(Type element) { return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : registerType(element); }

int64_t memoryBytes(Type element) { return memoryType(element).getIntOrFloatBitWidth() / 8; }

Type accumulatorOf(Type element) { return element.isF16() || element.isBF16() ? Float32Type::get(element.getContext()) : element; }

Type withLanesOf(Type type, Value like) {
  if (auto vector = like ? dyn_cast<VectorType>(like.getType()) : VectorType())
    return VectorType::get(vector.getShape(), type);
  return type;
}

int64_t lanesOf(Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getDimSize(0) : 0;
}

Value Elementwise::constant(TypedAttr number, Value like) {
  Type element = registerType(number.getType());
  TypedAttr value;
  if (auto real = dyn_cast<FloatAttr>(number))
    value = isa<FloatType>(element) ? number : cast<TypedAttr>(IntegerAttr::get(element, real.getValue().bitcastToAPInt()));
  else
    value = IntegerAttr::get(element, cast<IntegerAttr>(number).getValue());
  if (auto vector = dyn_cast<VectorType>(withLanesOf(element, like)))
    value = DenseElementsAttr::get(vector, static_cast<Attribute>(value));
  return arith::ConstantOp::create(b, value);
}

Value Elementwise::integer(Type type, int64_t value, Value like) {
  unsigned width = registerType(type).getIntOrFloatBitWidth();
  return constant(IntegerAttr::get(registerType(type), APInt(64, static_cast<uint64_t>(value), true).sextOrTrunc(width)), like);
}

Value Elementwise::real(Type type, double value, Value like) { return constant(FloatAttr::get(type, value), like); }

Value Elementwise::zero(Type element) { return isa<FloatType>(registerType(element)) ? real(element, 0.0) : integer(element, 0); }

Value Elementwise::emit(Operation* op, ArrayRef<Value> x) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType()), result = getElementTypeOrSelf(op->getResult(0).getType());
  if (auto compareOp = dyn_cast<CmpOp>(op))
    return compare(compareOp.getPredicate(), element, x[0], x[1]);
  if (isa<SelectOp>(op))
    return arith::SelectOp::create(b, x[0], x[1], x[2]);
  if (auto castOp = dyn_cast<CastOp>(op))
    return cast(x[0], element, result, castOp.getRounding(), castOp.getSaturate());
  if (isa<BitcastOp>(op)) {
    Type type = withLanesOf(registerType(result), x[0]);
    return type == x[0].getType() ? x[0] : Value(arith::BitcastOp::create(b, type, x[0]));
  }
  if (!element.isF16() && !element.isBF16())
    return arithmetic(op, element, x);
  if (isa<FmaOp>(op))
    return narrowFma(element, x);
  SmallVector<Value> wide;
  for (Value value : x)
    wide.push_back(widen(value, element));
  return narrow(arithmetic(op, b.getF32Type(), wide), element);
}

SmallVector<Value> Elementwise::apply(Region& region, ArrayRef<Value> arguments) {
  Block& block = region.front();
  IRMapping values;
  for (auto [from, to] : llvm::zip(block.getArguments(), arguments))
    values.map(from, to);
  for (Operation& op : block.without_terminator()) {
    if (auto number = dyn_cast<ConstantOp>(op)) {
      values.map(number.getResult(), constant(number.getElement(), arguments[0]));
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    values.map(op.getResult(0), emit(&op, operands));
  }
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(values.lookup(value));
  return results;
}

Value Elementwise::arithmetic(Operation* op, Type element, ArrayRef<Value> x) {
  return isa<FloatType>(element) ? onFloats(op, x) : onIntegers(op, element, x);
}

Value Elementwise::function(Function function, ArrayRef<Value> x) {
  if (function == Function::sqrt)
    return math::SqrtOp::create(b, x[0]);
  if (function == Function::rsqrt)
    return arith::DivFOp::create(b, real(getElementTypeOrSelf(x[0].getType()), 1.0, x[0]), math::SqrtOp::create(b, x[0]));
  return callMath(nameOf(function), x);
}

Value Elementwise::onFloats(Operation* op, ArrayRef<Value> x) {
  auto call = [&](StringRef name) { return callMath(name, x); };
  return llvm::TypeSwitch<Operation*, Value>(op)
      .Case([&](AddOp) { return arith::AddFOp::create(b, x[0], x[1]); })
      .Case([&](SubOp) { return arith::SubFOp::create(b, x[0], x[1]); })
      .Case([&](MulOp) { return arith::MulFOp::create(b, x[0], x[1]); })
      .Case([&](DivOp) { return arith::DivFOp::create(b, x[0], x[1]); })
      .Case([&](RemOp) { return call("fmod"); })
      .Case([&](MinOp) { return arith::MinimumFOp::create(b, x[0], x[1]); })
      .Case([&](MaxOp) { return arith::MaximumFOp::create(b, x[0], x[1]); })
      .Case([&](FmaOp) { return math::FmaOp::create(b, x[0], x[1], x[2]); })
      .Case([&](NegOp) { return arith::NegFOp::create(b, x[0]); })
      .Case([&](AbsOp) { return math::AbsFOp::create(b, x[0]); })
      .Case([&](FunctionOp functionOp) { return function(functionOp.getFunction(), x); })
      .Case([&](FloorOp) { return math::FloorOp::create(b, x[0]); })
      .Case([&](CeilOp) { return math::CeilOp::create(b, x[0]); })
      .Case([&](RoundOp) { return math::RoundEvenOp::create(b, x[0]); })
      .Case([&](TruncOp) { return math::TruncOp::create(b, x[0]); })
      .Case([&](PowOp) { return call("pow"); })
      .Case([&](Atan2Op) { return call("atan2"); });
}

Value Elementwise::onIntegers(Operation* op, Type element, ArrayRef<Value> x) {
  bool isUnsigned = element.isUnsignedInteger();
  return llvm::TypeSwitch<Operation*, Value>(op)
      .Case([&](AddOp) { return arith::AddIOp::create(b, x[0], x[1]); })
      .Case([&](SubOp) { return arith::SubIOp::create(b, x[0], x[1]); })
      .Case([&](MulOp) { return arith::MulIOp::create(b, x[0], x[1]); })
      .Case([&](DivOp) { return divide(op, isUnsigned, false, x[0], x[1]); })
      .Case([&](RemOp) { return divide(op, isUnsigned, true, x[0], x[1]); })
      .Case([&](MinOp) -> Value {
        return isUnsigned ? Value(arith::MinUIOp::create(b, x[0], x[1])) : arith::MinSIOp::create(b, x[0], x[1]);
      })
      .Case([&](MaxOp) -> Value {
        return isUnsigned ? Value(arith::MaxUIOp::create(b, x[0], x[1])) : arith::MaxSIOp::create(b, x[0], x[1]);
      })
      .Case([&](AndOp) { return arith::AndIOp::create(b, x[0], x[1]); })
      .Case([&](OrOp) { return arith::OrIOp::create(b, x[0], x[1]); })
      .Case([&](XorOp) { return arith::XOrIOp::create(b, x[0], x[1]); })
      .Case([&](ShlOp) { return shift(true, isUnsigned, x[0], x[1]); })
      .Case([&](ShrOp) { return shift(false, isUnsigned, x[0], x[1]); })
      .Case([&](NegOp) { return arith::SubIOp::create(b, integer(element, 0, x[0]), x[0]); })
      .Case([&](AbsOp) -> Value { return isUnsigned ? x[0] : Value(math::AbsIOp::create(b, x[0])); })
      .Case([&](NotOp) { return arith::XOrIOp::create(b, x[0], integer(element, -1, x[0])); });
}

Value Elementwise::divide(Operation* op, bool isUnsigned, bool wantsRemainder, Value x, Value y) {
  Type element = getElementTypeOrSelf(x.getType());
  Value zero = integer(element, 0, x), one = integer(element, 1, x);
  Value byZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, y, zero);
  Value unfit = byZero;
  if (!isUnsigned) {
    // The one quotient that does not fit: its wrapped value is x, and so x / 1; its remainder is 0, and so x % 1.
    Value smallest = integer(element, APInt::getSignedMinValue(element.getIntOrFloatBitWidth()).getSExtValue(), x);
    Value overflows = arith::AndIOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, smallest),
                                            arith::CmpIOp::create(b, arith::CmpIPredicate::eq, y, integer(element, -1, x)));
    unfit = arith::OrIOp::create(b, byZero, overflows);
  }
  Value divisor = arith::SelectOp::create(b, unfit, one, y);
  if (wantsRemainder) {
    Value rest = isUnsigned ? Value(arith::RemUIOp::create(b, x, divisor)) : arith::RemSIOp::create(b, x, divisor);
    return arith::SelectOp::create(b, byZero, x, rest);
  }
  Value quotient = isUnsigned ? Value(arith::DivUIOp::create(b, x, divisor)) : arith::DivSIOp::create(b, x, divisor);
  return arith::SelectOp::create(b, byZero, zero, quotient);
}

Value Elementwise::shift(bool isLeft, bool isUnsigned, Value x, Value amount) {
  Type element = getElementTypeOrSelf(x.getType());
  unsigned width = element.getIntOrFloatBitWidth();
  Value tooFar = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, amount, integer(element, width, x));
  // Not a select between 0 and the amount: LLVM 22 makes of that one PTX instruction that reads the low 32 bits of the amount only.
  Value zero = integer(element, 0, x), safe = arith::MinUIOp::create(b, amount, integer(element, width - 1, x));
  if (!isLeft && !isUnsigned)
    return arith::ShRSIOp::create(b, x, safe);
  Value shifted = isLeft ? Value(arith::ShLIOp::create(b, x, safe)) : arith::ShRUIOp::create(b, x, safe);
  return arith::SelectOp::create(b, tooFar, zero, shifted);
}

Value Elementwise::compare(Predicate predicate, Type element, Value x, Value y) {
  auto at = static_cast<size_t>(predicate);
  if (isa<FloatType>(element)) {
    using P = arith::CmpFPredicate;
    static constexpr P predicates[] = {P::OEQ, P::UNE, P::OLT, P::OLE, P::OGT, P::OGE};
    bool isWide = element.isF32() || element.isF64();
    return arith::CmpFOp::create(b, predicates[at], isWide ? x : widen(x, element), isWide ? y : widen(y, element));
  }
  using P = arith::CmpIPredicate;
  static constexpr P ofSigned[] = {P::eq, P::ne, P::slt, P::sle, P::sgt, P::sge};
  static constexpr P ofUnsigned[] = {P::eq, P::ne, P::ult, P::ule, P::ugt, P::uge};
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  return arith::CmpIOp::create(b, (isUnsigned ? ofUnsigned : ofSigned)[at], x, y);
}

Value Elementwise::combine(Combiner combiner, Type element, Value x, Value y) {
  bool isFloat = isa<FloatType>(element), isUnsigned = element.isUnsignedInteger();
  switch (combiner) {
  case Combiner::sum:
    return isFloat ? Value(arith::AddFOp::create(b, x, y)) : arith::AddIOp::create(b, x, y);
  case Combiner::prod:
    return isFloat ? Value(arith::MulFOp::create(b, x, y)) : arith::MulIOp::create(b, x, y);
  case Combiner::min:
    if (isFloat)
      return arith::MinimumFOp::create(b, x, y, anyZero);
    return isUnsigned ? Value(arith::MinUIOp::create(b, x, y)) : arith::MinSIOp::create(b, x, y);
  case Combiner::max:
    if (isFloat)
      return arith::MaximumFOp::create(b, x, y, anyZero);
    return isUnsigned ? Value(arith::MaxUIOp::create(b, x, y)) : arith::MaxSIOp::create(b, x, y);
  case Combiner::any:
    return arith::OrIOp::create(b, x, y);
  case Combiner::all:
    return arith::AndIOp::create(b, x, y);
  }
  llvm_unreachable("every combiner is handled");
}

SmallVector<Value> Elementwise::better(Combiner combiner, Type element, ArrayRef<Value> x, ArrayRef<Value> y) {
  bool isMax = combiner == Combiner::max;
  Value earlier = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x[1], y[1]), better, equal;
  if (isa<FloatType>(element)) {
    using P = arith::CmpFPredicate;
    Value xNan = arith::CmpFOp::create(b, P::UNO, x[0], x[0]), yNan = arith::CmpFOp::create(b, P::UNO, y[0], y[0]);
    Value onlyX = arith::AndIOp::create(b, xNan, arith::XOrIOp::create(b, yNan, integer(b.getI1Type(), 1, yNan)));
    better = arith::OrIOp::create(b, arith::CmpFOp::create(b, isMax ? P::OGT : P::OLT, x[0], y[0]), onlyX);
    equal = arith::OrIOp::create(b, arith::CmpFOp::create(b, P::OEQ, x[0], y[0]), arith::AndIOp::create(b, xNan, yNan));
  } else {
    using P = arith::CmpIPredicate;
    P order = element.isUnsignedInteger() ? (isMax ? P::ugt : P::ult) : (isMax ? P::sgt : P::slt);
    better = arith::CmpIOp::create(b, order, x[0], y[0]);
    equal = arith::CmpIOp::create(b, P::eq, x[0], y[0]);
  }
  Value wins = arith::OrIOp::create(b, better, arith::AndIOp::create(b, equal, earlier));
  return {arith::SelectOp::create(b, wins, x[0], y[0]), arith::SelectOp::create(b, wins, x[1], y[1])};
}

Value Elementwise::neutral(Combiner combiner, Type element) {
  bool isMin = combiner == Combiner::min;
  if (auto type = dyn_cast<FloatType>(element)) {
    if (combiner == Combiner::sum) // -0 is the neutral element of floating-point addition
      return constant(FloatAttr::get(type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true)));
    if (combiner == Combiner::prod)
      return real(type, 1.0);
    return constant(FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/!isMin)));
  }
  unsigned width = element.getIntOrFloatBitWidth();
  Type type = registerType(element);
  switch (combiner) {
  case Combiner::sum:
  case Combiner::any:
    return integer(type, 0);
  case Combiner::prod:
    return integer(type, 1);
  case Combiner::all:
    return integer(type, -1);
  default:
    break;
  }
  APInt extreme = element.isUnsignedInteger() ? (isMin ? APInt::getMaxValue(width) : APInt::getMinValue(width))
                                              : (isMin ? APInt::getSignedMaxValue(width) : APInt::getSignedMinValue(width));
  return constant(IntegerAttr::get(type, extreme));
}

} // namespace tegula
