#include "test/interp/Tile.h"

#include <bit>
#include <cmath>

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

namespace tegula::interp {

Tile::Tile(Type type)
    : element(getElementTypeOrSelf(type)), shape(tile::getShape(type)), bits(static_cast<size_t>(tile::getSize(type)), 0) {}

bool isSigned(Type element) { return element.isSignlessInteger() && !element.isInteger(1); }

double toDouble(Type element, uint64_t bits) {
  if (element.isF64())
    return std::bit_cast<double>(bits);
  if (element.isF32())
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (isa<Float8E8M0FNUType>(element))
    return bits == 255 ? std::nan("") : std::ldexp(1.0, static_cast<int>(bits) - 127);
  return APFloat(cast<FloatType>(element).getFloatSemantics(), APInt(widthOf(element), bits)).convertToDouble();
}

/// APFloat's own conversion keeps a sign that the format has not.
static uint64_t scaleOf(double value, llvm::RoundingMode mode) {
  if (std::isnan(value) || value < 0)
    return 255;
  if (value <= 0x1p-127)
    return 0;
  if (value >= 0x1p127)
    return 254;
  int exponent = std::ilogb(value);
  double fraction = std::ldexp(value, -exponent); // in [1, 2)
  bool up =
      mode == llvm::RoundingMode::TowardPositive ? fraction > 1 : mode == llvm::RoundingMode::NearestTiesToEven && fraction >= 1.5;
  int bits = exponent + 127 + (up ? 1 : 0);
  return static_cast<uint64_t>(bits);
}

uint64_t fromDouble(Type element, double value, llvm::RoundingMode mode) {
  if (isa<Float8E8M0FNUType>(element))
    return scaleOf(value, mode);
  APFloat number(value);
  bool inexact;
  number.convert(cast<FloatType>(element).getFloatSemantics(), mode, &inexact);
  return number.bitcastToAPInt().getZExtValue();
}

uint64_t wrap(Type element, uint64_t value) {
  unsigned width = widthOf(element);
  return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

int64_t toSigned(Type element, uint64_t bits) {
  unsigned width = widthOf(element);
  if (!isSigned(element) || width == 64)
    return static_cast<int64_t>(bits);
  bool negative = bits >> (width - 1) & 1;
  return static_cast<int64_t>(negative ? bits | ~((uint64_t{1} << width) - 1) : bits);
}

void forEachIndex(ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  Shape index(shape.size(), 0);
  if (llvm::is_contained(shape, 0))
    return;
  while (true) {
    visit(index);
    size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1])
      index[--axis] = 0;
    if (axis == 0)
      return;
  }
}

int64_t flatten(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t at = 0;
  for (auto [extent, i] : llvm::zip_equal(shape, index))
    at = at * extent + i;
  return at;
}

} // namespace tegula::interp
