// Operations between element types, and those that make tiles from nothing.
#include "test/interp/Operations.h"

#include <cmath>

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

namespace tegula::interp {

static llvm::RoundingMode modeOf(tile::Rounding rounding) {
  switch (rounding) {
  case tile::Rounding::nearest_even:
    return llvm::RoundingMode::NearestTiesToEven;
  case tile::Rounding::toward_zero:
    return llvm::RoundingMode::TowardZero;
  case tile::Rounding::down:
    return llvm::RoundingMode::TowardNegative;
  case tile::Rounding::up:
    return llvm::RoundingMode::TowardPositive;
  }
  llvm_unreachable("all rounding modes are listed");
}

static uint64_t largestFinite(Type element, bool negative) {
  return APFloat::getLargest(mlir::cast<FloatType>(element).getFloatSemantics(), negative).bitcastToAPInt().getZExtValue();
}

/// Saturation is for types that lack large numbers of the other: elsewhere infinity stays infinity.
static bool isNarrower(Type to, Type from) {
  return toDouble(to, largestFinite(to, false)) < toDouble(from, largestFinite(from, false));
}

static uint64_t floatToFloat(Type from, Type to, uint64_t bits, llvm::RoundingMode mode, bool saturate) {
  double value = toDouble(from, bits);
  uint64_t result = fromDouble(to, value, mode);
  if (isa<Float8E8M0FNUType>(to)) // saturates anyway; what is negative is NaN
    return result;
  if (saturate && isNarrower(to, from) && !std::isnan(value) && !std::isfinite(toDouble(to, result)))
    return largestFinite(to, std::signbit(value));
  return result;
}

static uint64_t integerToFloat(Type from, Type to, uint64_t bits, llvm::RoundingMode mode, bool saturate) {
  if (isa<Float8E8M0FNUType>(to)) {
    if (isSigned(from) && toSigned(from, bits) < 0)
      return fromDouble(to, -1, mode);
    // What a double cannot hold of a wide integer counts only as more than nothing.
    bool isWide = bits >> 53 != 0;
    return fromDouble(
        to, isWide ? std::ldexp(static_cast<double>(bits >> 11 | ((bits & 0x7ff) != 0)), 11) : static_cast<double>(bits), mode);
  }
  APFloat number(mlir::cast<FloatType>(to).getFloatSemantics());
  number.convertFromAPInt(APInt(64, static_cast<uint64_t>(toSigned(from, bits))), isSigned(from), mode);
  if (saturate && !number.isFinite())
    return largestFinite(to, isSigned(from) && toSigned(from, bits) < 0);
  return number.bitcastToAPInt().getZExtValue();
}

/// The smallest and largest integer of a type, as the bits that hold them.
static uint64_t lowest(Type element) { return isSigned(element) ? uint64_t{1} << (widthOf(element) - 1) : 0; }
static uint64_t highest(Type element) { return isSigned(element) ? lowest(element) - 1 : wrap(element, ~uint64_t{0}); }

static uint64_t floatToInteger(Type from, Type to, uint64_t bits, llvm::RoundingMode mode) {
  APFloat rounded(toDouble(from, bits));
  rounded.roundToIntegral(mode);
  double value = rounded.convertToDouble(), end = std::ldexp(1, static_cast<int>(widthOf(to)) - (isSigned(to) ? 1 : 0));
  if (std::isnan(value))
    return 0;
  if (value >= end)
    return highest(to);
  if (value < (isSigned(to) ? -end : 0))
    return lowest(to);
  return wrap(to, isSigned(to) ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value));
}

static uint64_t integerToInteger(Type from, Type to, uint64_t bits, bool saturate) {
  bool negative = isSigned(from) && toSigned(from, bits) < 0;
  uint64_t value = static_cast<uint64_t>(toSigned(from, bits));
  if (!saturate)
    return wrap(to, value);
  if (negative)
    return !isSigned(to) || toSigned(from, bits) < toSigned(to, lowest(to)) ? lowest(to) : wrap(to, value);
  return value > highest(to) ? highest(to) : value;
}

static uint64_t cast(tile::CastOp op, Type from, Type to, uint64_t bits) {
  if (to.isInteger(1))
    return isFloat(from) ? toDouble(from, bits) != 0 : bits != 0;
  if (isFloat(from) && isFloat(to))
    return floatToFloat(from, to, bits, modeOf(op.getRounding()), op.getSaturate());
  if (isFloat(from))
    return floatToInteger(from, to, bits, modeOf(op.getRounding()));
  if (isFloat(to))
    return integerToFloat(from, to, bits, modeOf(op.getRounding()), op.getSaturate());
  return integerToInteger(from, to, bits, op.getSaturate());
}

Tile cast(tile::CastOp op, const Tile& operand) {
  Tile result(op.getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] = cast(op, operand.element, result.element, operand.bits[i]);
  return result;
}

Tile bitcast(tile::BitcastOp op, const Tile& operand) {
  Tile result(op.getType());
  result.bits = operand.bits;
  return result;
}

Tile constant(tile::ConstantOp op) {
  Tile result(op.getType());
  TypedAttr number = op.getElement();
  APInt bits = isa<FloatAttr>(number) ? mlir::cast<FloatAttr>(number).getValue().bitcastToAPInt()
                                      : mlir::cast<IntegerAttr>(number).getValue();
  std::fill(result.bits.begin(), result.bits.end(), bits.getZExtValue());
  return result;
}

Tile iota(tile::IotaOp op) {
  Tile result(op.getType());
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index) {
    result.bits[flatten(result.shape, index)] = wrap(result.element, static_cast<uint64_t>(index[op.getAxis()]));
  });
  return result;
}

Tiles philox(tile::PhiloxOp op, const Tile& key, const Tile& counter) {
  Tiles results(4, Tile(op.getR0().getType()));
  for (int64_t i = 0; i < counter.size(); ++i) {
    uint32_t words[4] = {static_cast<uint32_t>(counter.bits[i]), static_cast<uint32_t>(counter.bits[i] >> 32), 0, 0};
    uint32_t key0 = static_cast<uint32_t>(key.bits[0]), key1 = static_cast<uint32_t>(key.bits[0] >> 32);
    for (int round = 0; round < 10; ++round) {
      uint64_t product0 = uint64_t{0xD2511F53} * words[0], product1 = uint64_t{0xCD9E8D57} * words[2];
      uint32_t high0 = static_cast<uint32_t>(product0 >> 32), high1 = static_cast<uint32_t>(product1 >> 32);
      words[0] = high1 ^ words[1] ^ key0;
      words[1] = static_cast<uint32_t>(product1);
      words[2] = high0 ^ words[3] ^ key1;
      words[3] = static_cast<uint32_t>(product0);
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    for (int w = 0; w < 4; ++w)
      results[w].bits[i] = words[w];
  }
  return results;
}

} // namespace tegula::interp
