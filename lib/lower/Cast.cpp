// Conversions between element types, exact to the last bit: each rounds once.
#include "lib/lower/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace tegula::tile;

namespace tegula {

using FloatOrder = arith::CmpFPredicate;
using IntegerOrder = arith::CmpIPredicate;

static bool isUnsignedLike(Type type) { return type.isUnsignedInteger() || type.isInteger(1); }
static unsigned widthOf(Type type) { return type.getIntOrFloatBitWidth(); }

Value Elementwise::cast(Value value, Type from, Type to, Rounding rounding, bool saturate) {
  if (from == to)
    return value;
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (to.isInteger(1)) {
    if (!fromFloat)
      return arith::CmpIOp::create(b, IntegerOrder::ne, value, integer(from, 0, value));
    Value wide = from.isF64() ? value : toF32(value, from);
    return arith::CmpFOp::create(b, FloatOrder::UNE, wide, real(getElementTypeOrSelf(wide.getType()), 0.0, value));
  }
  if (!fromFloat && !toFloat)
    return integerToInteger(value, from, to, saturate);
  if (fromFloat && !toFloat)
    return floatToInteger(from.isF64() ? value : toF32(value, from), to, rounding);
  if (fromFloat && toFloat)
    return floatToFloat(value, from, to, rounding, saturate);
  return integerToFloat(value, from, to, rounding, saturate);
}

Value Elementwise::integerToFloat(Value value, Type from, Type to, Rounding rounding, bool saturate) {
  auto convert = [&](Type type) -> Value {
    type = withLanesOf(type, value);
    return isUnsignedLike(from) ? Value(arith::UIToFPOp::create(b, type, value)) : arith::SIToFPOp::create(b, type, value);
  };
  if (rounding == Rounding::nearest_even && (to.isF32() || to.isF64()))
    return convert(to);
  if (to.isF64() && widthOf(from) == 64) {
    // Both halves are exact, and so is the error of their sum: its sign says which neighbour is right.
    Type i64 = b.getI64Type();
    Value sum = convert(to), low = arith::AndIOp::create(b, value, integer(i64, 0xffffffff, value));
    Value lowPart = arith::UIToFPOp::create(b, sum.getType(), low), whole = value;
    value = arith::SubIOp::create(b, whole, low);
    Value highPart = convert(to);
    Value error = arith::SubFOp::create(b, lowPart, arith::SubFOp::create(b, sum, highPart));
    Value zero = real(to, 0.0, value), isNegative = arith::CmpFOp::create(b, FloatOrder::OLT, sum, zero);
    Value below = arith::CmpFOp::create(b, FloatOrder::OLT, error, zero),
          above = arith::CmpFOp::create(b, FloatOrder::OGT, error, zero);
    Value outward = integer(i64, 1, value), inward = integer(i64, -1, value);
    Value wrong = rounding == Rounding::down ? below
                  : rounding == Rounding::up ? above
                                             : Value(arith::SelectOp::create(b, isNegative, above, below));
    Value step = inward;
    if (rounding == Rounding::down)
      step = arith::SelectOp::create(b, isNegative, outward, inward);
    if (rounding == Rounding::up)
      step = arith::SelectOp::create(b, isNegative, inward, outward);
    Value bits = arith::BitcastOp::create(b, value.getType(), sum);
    Value moved = arith::SelectOp::create(b, wrong, arith::AddIOp::create(b, bits, step), bits);
    return arith::BitcastOp::create(b, sum.getType(), moved);
  }
  // By way of a wider float to the narrower ones, which then round once, because what f64 cannot hold is made odd.
  if (widthOf(from) == 64) {
    Type i64 = b.getI64Type();
    constexpr int64_t low = 0x7ff;
    Value rest = arith::AndIOp::create(b, value, integer(i64, low, value));
    Value isInexact = arith::CmpIOp::create(b, IntegerOrder::ne, rest, integer(i64, 0, value));
    Value kept = arith::AndIOp::create(b, value, integer(i64, ~low, value));
    Value odd = arith::SelectOp::create(b, isInexact, arith::OrIOp::create(b, kept, integer(i64, low + 1, value)), kept);
    Value shifted = isUnsignedLike(from) ? value : Value(arith::AddIOp::create(b, value, integer(i64, int64_t(1) << 53, value)));
    Value limit = integer(i64, int64_t(1) << (isUnsignedLike(from) ? 53 : 54), value);
    Value isWide = arith::CmpIOp::create(b, IntegerOrder::uge, shifted, limit);
    value = arith::SelectOp::create(b, isWide, odd, value);
  }
  Type wide = widthOf(from) <= 16 ? Type(b.getF32Type()) : b.getF64Type(); // holds the integer, or its odd stand-in
  return floatToFloat(convert(wide), wide, to, rounding, saturate);
}

Value Elementwise::integerToInteger(Value value, Type from, Type to, bool saturate) {
  unsigned narrowWidth = widthOf(to), wideWidth = widthOf(from);
  bool fromUnsigned = isUnsignedLike(from), toUnsigned = isUnsignedLike(to);
  if (saturate) {
    // In the source's own type, clamp to the part of its range that the target shares.
    APInt high = toUnsigned ? APInt::getMaxValue(narrowWidth) : APInt::getSignedMaxValue(narrowWidth);
    APInt sourceHigh = fromUnsigned ? APInt::getMaxValue(wideWidth) : APInt::getSignedMaxValue(wideWidth);
    unsigned common = std::max(narrowWidth, wideWidth) + 1;
    if (high.zext(common).ult(sourceHigh.zext(common))) {
      Value limit = constant(IntegerAttr::get(registerType(from), high.zextOrTrunc(wideWidth)), value);
      value = fromUnsigned ? Value(arith::MinUIOp::create(b, value, limit)) : arith::MinSIOp::create(b, value, limit);
    }
    if (!fromUnsigned && (toUnsigned || narrowWidth < wideWidth)) {
      APInt low = toUnsigned ? APInt::getZero(wideWidth) : APInt::getSignedMinValue(narrowWidth).sextOrTrunc(wideWidth);
      value = arith::MaxSIOp::create(b, value, constant(IntegerAttr::get(registerType(from), low), value));
    }
  }
  Type type = withLanesOf(registerType(to), value);
  if (narrowWidth == wideWidth)
    return value;
  if (narrowWidth < wideWidth)
    return arith::TruncIOp::create(b, type, value);
  return fromUnsigned ? Value(arith::ExtUIOp::create(b, type, value)) : arith::ExtSIOp::create(b, type, value);
}

Value Elementwise::floatToInteger(Value value, Type to, Rounding rounding) {
  switch (rounding) {
  case Rounding::nearest_even:
    value = math::RoundEvenOp::create(b, value);
    break;
  case Rounding::down:
    value = math::FloorOp::create(b, value);
    break;
  case Rounding::up:
    value = math::CeilOp::create(b, value);
    break;
  case Rounding::toward_zero:
    break; // what the conversion itself does
  }
  StringRef name = to.isUnsignedInteger() ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
  return LLVM::CallIntrinsicOp::create(b, withLanesOf(registerType(to), value), b.getStringAttr(name), ValueRange{value})
      .getResult(0);
}

Value Elementwise::toF32(Value value, Type from) {
  Type f32 = withLanesOf(b.getF32Type(), value), i32 = withLanesOf(b.getI32Type(), value);
  if (from.isF32())
    return value;
  auto number = [&](int64_t n) { return integer(b.getI32Type(), n, value); };
  Value bits = arith::ExtUIOp::create(b, i32, value);
  if (from.isBF16())
    return arith::BitcastOp::create(b, f32, arith::ShLIOp::create(b, bits, number(16)));
  if (isa<Float8E8M0FNUType>(from))
    return scaleToF32(bits);
  // Exponent and mantissa in place as f32, then the difference of the biases as a factor, which covers denormals too.
  const llvm::fltSemantics& format = mlir::cast<FloatType>(from).getFloatSemantics();
  int mantissa = static_cast<int>(APFloat::semanticsPrecision(format)) - 1;
  int64_t signBit = int64_t(1) << (widthOf(from) - 1);
  Value magnitude = arith::AndIOp::create(b, bits, number(signBit - 1));
  Value unscaled = arith::BitcastOp::create(b, f32, arith::ShLIOp::create(b, magnitude, number(23 - mantissa)));
  double factor = std::ldexp(1.0, 127 - (1 - APFloat::semanticsMinExponent(format)));
  Value positive = arith::BitcastOp::create(b, i32, arith::MulFOp::create(b, unscaled, real(b.getF32Type(), factor, value)));
  // Beyond the largest finite number: infinity, if there is one, and NaN.
  auto largest = static_cast<int64_t>(APFloat::getLargest(format).bitcastToAPInt().getZExtValue());
  Value isNan = arith::CmpIOp::create(b, IntegerOrder::ugt, magnitude, number(largest));
  positive = arith::SelectOp::create(b, isNan, number(0x7fc00000), positive);
  if (!isa<Float8E4M3FNType>(from)) {
    Value isInfinite = arith::CmpIOp::create(b, IntegerOrder::eq, magnitude, number(largest + 1));
    positive = arith::SelectOp::create(b, isInfinite, number(0x7f800000), positive);
  }
  Value sign =
      arith::ShLIOp::create(b, arith::AndIOp::create(b, bits, number(signBit)), number(32 - static_cast<int64_t>(widthOf(from))));
  return arith::BitcastOp::create(b, f32, arith::OrIOp::create(b, positive, sign));
}

// What f8e8m0 holds is the exponent field of an f32, but that 0 is 2^-127, which f32 has as a denormal, and 255 is NaN.
constexpr int64_t smallestScale = 0x00400000, scaleNan = 255;

Value Elementwise::scaleToF32(Value bits) {
  auto number = [&](int64_t n) { return integer(b.getI32Type(), n, bits); };
  auto is = [&](int64_t n) { return arith::CmpIOp::create(b, IntegerOrder::eq, bits, number(n)); };
  Value result = arith::ShLIOp::create(b, bits, number(23));
  result = arith::SelectOp::create(b, is(0), number(smallestScale), result);
  result = arith::SelectOp::create(b, is(scaleNan), number(0x7fc00000), result);
  return arith::BitcastOp::create(b, withLanesOf(b.getF32Type(), bits), result);
}

/// Half way is up: a mantissa without bits has no even neighbour. What is too large or too small becomes the nearest there is.
Value Elementwise::f32ToScale(Value value, Rounding rounding) {
  Type i32 = b.getI32Type();
  auto number = [&](int64_t n) { return integer(i32, n, value); };
  Value bits = arith::BitcastOp::create(b, withLanesOf(i32, value), value);
  auto zeroIf = [&](IntegerOrder order, int64_t limit, Value otherwise) -> Value {
    return arith::SelectOp::create(b, arith::CmpIOp::create(b, order, bits, number(limit)), number(0), otherwise);
  };
  bits = zeroIf(IntegerOrder::eq, 0x80000000, bits); // -0 is 0
  int64_t added = rounding == Rounding::nearest_even ? 0x00400000 : rounding == Rounding::up ? 0x007fffff : 0;
  Value scale = arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, number(added)), number(23));
  // Denormals have no leading one, so they would be rounded up too early.
  if (rounding == Rounding::nearest_even)
    scale = zeroIf(IntegerOrder::ult, smallestScale + smallestScale / 2, scale);
  if (rounding == Rounding::up)
    scale = zeroIf(IntegerOrder::ule, smallestScale, scale);
  scale = arith::MinUIOp::create(b, scale, number(scaleNan - 1));
  Value isNanOrNegative = arith::CmpIOp::create(b, IntegerOrder::ugt, bits, number(0x7f800000));
  scale = arith::SelectOp::create(b, isNanOrNegative, number(scaleNan), scale);
  return arith::TruncIOp::create(b, withLanesOf(b.getI8Type(), value), scale);
}

/// To f32 with the last bit set where that was not exact: a later rounding to fewer bits is then right.
Value Elementwise::f64ToOddF32(Value value) {
  Type f32 = withLanesOf(b.getF32Type(), value), i32 = withLanesOf(b.getI32Type(), value);
  Value near = arith::TruncFOp::create(b, f32, value), back = arith::ExtFOp::create(b, value.getType(), near);
  Value inexact = arith::CmpFOp::create(b, FloatOrder::ONE, back, value);
  Value tooLarge = arith::CmpFOp::create(b, FloatOrder::OGT, math::AbsFOp::create(b, back), math::AbsFOp::create(b, value));
  Value bits = arith::BitcastOp::create(b, i32, near), one = integer(b.getI32Type(), 1, value);
  Value truncated = arith::SelectOp::create(b, tooLarge, arith::SubIOp::create(b, bits, one), bits);
  Value odd = arith::SelectOp::create(b, inexact, arith::OrIOp::create(b, truncated, one), bits);
  return arith::BitcastOp::create(b, f32, odd);
}

Value Elementwise::nearest(Value value, Type to) {
  if (to.isF32())
    return value;
  if (!to.isBF16())
    return nearestSmall(value, to);
  // Not the machine's conversion: it takes denormals for zero.
  Type i32 = b.getI32Type();
  Value bits = arith::BitcastOp::create(b, withLanesOf(i32, value), value), sixteen = integer(i32, 16, value);
  Value odd = arith::AndIOp::create(b, arith::ShRUIOp::create(b, bits, sixteen), integer(i32, 1, value));
  Value rounded = arith::AddIOp::create(b, bits, arith::AddIOp::create(b, odd, integer(i32, 0x7fff, value)));
  Value isNan = arith::CmpFOp::create(b, FloatOrder::UNO, value, value);
  Value kept = arith::SelectOp::create(b, isNan, arith::OrIOp::create(b, bits, integer(i32, 0x400000, value)), rounded);
  return arith::TruncIOp::create(b, withLanesOf(b.getI16Type(), value), arith::ShRUIOp::create(b, kept, sixteen));
}

/// To f16, e4m3 or e5m2.
Value Elementwise::nearestSmall(Value value, Type to) {
  Type i32 = b.getI32Type();
  const llvm::fltSemantics& format = mlir::cast<FloatType>(to).getFloatSemantics();
  int mantissa = static_cast<int>(APFloat::semanticsPrecision(format)) - 1, dropped = 23 - mantissa;
  int smallest = APFloat::semanticsMinExponent(format); // of a normal number
  auto number = [&](int64_t n) { return integer(i32, n, value); };
  Value bits = arith::BitcastOp::create(b, withLanesOf(i32, value), value);
  Value sign =
      arith::ShRUIOp::create(b, arith::AndIOp::create(b, bits, number(0x80000000)), number(32 - static_cast<int64_t>(widthOf(to))));
  Value magnitude = arith::AndIOp::create(b, bits, number(0x7fffffff));
  // Normal: rebias the exponent, round at the bit where the mantissa ends; a carry runs into the exponent, as it should.
  Value odd = arith::AndIOp::create(b, arith::ShRUIOp::create(b, magnitude, number(dropped)), number(1));
  Value rebias = number((static_cast<int64_t>(1 - smallest) - 127) * (int64_t(1) << 23) + (int64_t(1) << (dropped - 1)) - 1);
  Value normal =
      arith::ShRUIOp::create(b, arith::AddIOp::create(b, arith::AddIOp::create(b, magnitude, rebias), odd), number(dropped));
  // Denormal: adding a number whose last place is the smallest denormal leaves the rounded multiple in the low bits.
  APFloat magic(APFloat::IEEEsingle(), "1.0");
  magic = scalbn(magic, smallest - mantissa + 23, APFloat::rmNearestTiesToEven);
  Value absolute = arith::BitcastOp::create(b, withLanesOf(b.getF32Type(), value), magnitude);
  Value shifted = arith::AddFOp::create(b, absolute, constant(FloatAttr::get(b.getF32Type(), magic), value));
  Value denormal = arith::SubIOp::create(b, arith::BitcastOp::create(b, magnitude.getType(), shifted),
                                         number(magic.bitcastToAPInt().getZExtValue()));
  Value isDenormal = arith::CmpIOp::create(b, IntegerOrder::ult, magnitude, number(static_cast<int64_t>(smallest + 127) << 23));
  Value result = arith::SelectOp::create(b, isDenormal, denormal, normal);
  // Beyond the largest: infinity, or NaN for e4m3, which has no infinity.
  int64_t largest = static_cast<int64_t>(APFloat::getLargest(format).bitcastToAPInt().getZExtValue());
  Value beyond = arith::CmpIOp::create(b, IntegerOrder::ugt, result, number(largest));
  Value huge = arith::CmpIOp::create(b, IntegerOrder::uge, magnitude, number(static_cast<int64_t>(127 + 32) << 23));
  result = arith::SelectOp::create(b, arith::OrIOp::create(b, beyond, huge), number(largest + 1), result);
  Value isNan = arith::CmpIOp::create(b, IntegerOrder::ugt, magnitude, number(0x7f800000));
  auto quiet = static_cast<int64_t>(APFloat::getNaN(format).bitcastToAPInt().getZExtValue());
  result = arith::SelectOp::create(b, isNan, number(quiet), result);
  return arith::TruncIOp::create(b, withLanesOf(registerType(to), value), arith::OrIOp::create(b, result, sign));
}

Value Elementwise::floatToFloat(Value value, Type from, Type to, Rounding rounding, bool saturate) {
  if (from == to)
    return value;
  if (to.isF64())
    return arith::ExtFOp::create(b, withLanesOf(to, value), from.isF32() ? value : toF32(value, from));
  if (!from.isF64())
    value = toF32(value, from);
  Type wide = getElementTypeOrSelf(value.getType());
  if (wide == to)
    return value;
  if (isa<Float8E8M0FNUType>(to))
    return f32ToScale(wide.isF64() ? f64ToOddF32(value) : value, rounding);

  // Which ends of the target's range hold numbers beyond them back. Where every number fits, infinity stays what it is.
  const llvm::fltSemantics& format = mlir::cast<FloatType>(to).getFloatSemantics();
  auto largestOf = [](Type type) { return APFloat::getLargest(mlir::cast<FloatType>(type).getFloatSemantics()).convertToDouble(); };
  saturate &= largestOf(to) < largestOf(from);
  bool keepHigh = saturate || rounding == Rounding::toward_zero || rounding == Rounding::down;
  bool keepLow = saturate || rounding == Rounding::toward_zero || rounding == Rounding::up;
  if (keepHigh || keepLow) {
    APFloat limit = APFloat::getLargest(format);
    bool inexact;
    limit.convert(mlir::cast<FloatType>(wide).getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    Value high = constant(FloatAttr::get(wide, limit), value), low = constant(FloatAttr::get(wide, neg(limit)), value);
    Value infinity = constant(FloatAttr::get(wide, APFloat::getInf(limit.getSemantics())), value);
    Value isInfinite = arith::CmpFOp::create(b, FloatOrder::OEQ, math::AbsFOp::create(b, value), infinity);
    Value clamped = value;
    if (keepHigh)
      clamped = arith::SelectOp::create(b, arith::CmpFOp::create(b, FloatOrder::OGT, clamped, high), high, clamped);
    if (keepLow)
      clamped = arith::SelectOp::create(b, arith::CmpFOp::create(b, FloatOrder::OLT, clamped, low), low, clamped);
    value = saturate ? clamped : Value(arith::SelectOp::create(b, isInfinite, value, clamped));
  }

  Value result;
  if (wide.isF64())
    result = to.isF32() ? Value(arith::TruncFOp::create(b, withLanesOf(to, value), value)) : nearest(f64ToOddF32(value), to);
  else
    result = nearest(value, to);
  if (rounding == Rounding::nearest_even)
    return result;

  // The other roundings: where the nearest went the wrong way, the neighbour is right. Bits of one sign are ordered as the numbers
  // are.
  Value back = floatToFloat(result, to, wide, Rounding::nearest_even, false);
  Type bitsType = withLanesOf(b.getIntegerType(widthOf(to)), value);
  bool isInteger = bitsType == result.getType();
  Value bits = isInteger ? result : Value(arith::BitcastOp::create(b, bitsType, result));
  Type bit = getElementTypeOrSelf(bitsType);
  Value isNegative = arith::CmpIOp::create(b, IntegerOrder::slt, bits, integer(bit, 0, value));
  Value one = integer(bit, 1, value), minusOne = integer(bit, -1, value);
  Value wrong, step;
  if (rounding == Rounding::toward_zero) {
    wrong = arith::CmpFOp::create(b, FloatOrder::OGT, math::AbsFOp::create(b, back), math::AbsFOp::create(b, value));
    step = minusOne;
  } else {
    bool isDown = rounding == Rounding::down;
    wrong = arith::CmpFOp::create(b, isDown ? FloatOrder::OGT : FloatOrder::OLT, back, value);
    step = isDown ? arith::SelectOp::create(b, isNegative, one, minusOne) : arith::SelectOp::create(b, isNegative, minusOne, one);
    // Away from a zero that a small number was rounded to: the smallest number of the wanted sign.
    Value isZero = arith::CmpFOp::create(b, FloatOrder::OEQ, back, real(wide, 0.0, value));
    Value tiny = integer(bit, isDown ? (int64_t(1) << (widthOf(to) - 1)) | 1 : 1, value);
    Value moved = arith::SelectOp::create(b, isZero, tiny, arith::AddIOp::create(b, bits, step));
    bits = arith::SelectOp::create(b, wrong, moved, bits);
    return isInteger ? bits : Value(arith::BitcastOp::create(b, result.getType(), bits));
  }
  bits = arith::SelectOp::create(b, wrong, arith::AddIOp::create(b, bits, step), bits);
  return isInteger ? bits : Value(arith::BitcastOp::create(b, result.getType(), bits));
}

Value Elementwise::narrowFma(Type element, ArrayRef<Value> x) {
  auto wide = [&](Value value) { return cast(value, element, b.getF64Type(), Rounding::nearest_even, false); };
  Type bitsType = withLanesOf(b.getI64Type(), x[0]);
  // In f64 the product is exact. The error of the sum, itself exact, says whether and where to make the sum odd.
  Value product = arith::MulFOp::create(b, wide(x[0]), wide(x[1])), term = wide(x[2]),
        sum = arith::AddFOp::create(b, product, term);
  Value part = arith::SubFOp::create(b, sum, product);
  Value error = arith::AddFOp::create(b, arith::SubFOp::create(b, product, arith::SubFOp::create(b, sum, part)),
                                      arith::SubFOp::create(b, term, part));
  Value zero = real(b.getF64Type(), 0.0, x[0]), bits = arith::BitcastOp::create(b, bitsType, sum);
  Value one = integer(b.getI64Type(), 1, x[0]), minusOne = integer(b.getI64Type(), -1, x[0]);
  Value isInexact = arith::CmpFOp::create(b, FloatOrder::ONE, error, zero);
  Value isEven = arith::CmpIOp::create(b, IntegerOrder::eq, arith::AndIOp::create(b, bits, one), integer(b.getI64Type(), 0, x[0]));
  Value outward = arith::CmpIOp::create(b, IntegerOrder::eq, arith::CmpFOp::create(b, FloatOrder::OGT, error, zero),
                                        arith::CmpFOp::create(b, FloatOrder::OGT, sum, zero));
  Value step = arith::SelectOp::create(b, outward, one, minusOne);
  Value odd = arith::SelectOp::create(b, arith::AndIOp::create(b, isInexact, isEven), arith::AddIOp::create(b, bits, step), bits);
  Value result = arith::BitcastOp::create(b, sum.getType(), odd);
  return cast(result, b.getF64Type(), element, Rounding::nearest_even, false);
}

Value Elementwise::roundToTf32(Value value) {
  Type i32 = b.getI32Type();
  Value bits = arith::BitcastOp::create(b, withLanesOf(i32, value), value);
  Value odd = arith::AndIOp::create(b, arith::ShRUIOp::create(b, bits, integer(i32, 13, value)), integer(i32, 1, value));
  Value rounded = arith::AddIOp::create(b, bits, arith::AddIOp::create(b, odd, integer(i32, 0xfff, value)));
  rounded = arith::AndIOp::create(b, rounded, integer(i32, ~int64_t(0x1fff), value));
  Value isFinite = arith::CmpIOp::create(b, IntegerOrder::ult, arith::AndIOp::create(b, bits, integer(i32, 0x7fffffff, value)),
                                         integer(i32, 0x7f800000, value));
  return arith::BitcastOp::create(b, value.getType(), arith::SelectOp::create(b, isFinite, rounded, bits));
}

} // namespace tegula
