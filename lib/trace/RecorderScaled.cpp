// Products of operands with scales, in plain products: one for each block along K, times the block's scales.
#include "lib/trace/RecorderState.h"

#include <limits>

namespace tegula::detail {

using trace::Recorder;
using trace::type_of;

namespace {

TileType with(TileType type, DType dtype) {
  type.dtype = dtype;
  return type;
}
TileType with(TileType type, int axis, std::int32_t extent) {
  type.extents[axis] = extent;
  return type;
}

/// A part of a tile along an axis.
Value part(const TileType& type, Value tile, int axis, int count, int which, Loc loc) {
  if (count == 1)
    return tile;
  std::vector<Value> operands{tile};
  for (int i = 0; i < type.rank; ++i)
    operands.push_back(constant({DType::i64, 0, {}}, std::int64_t{i == axis ? which : 0}, loc));
  const TileType result = with(type, axis, type.extents[axis] / count);
  return Recorder::current(loc).append_with_result("tile.extract", type_of(result), operands, loc);
}

/// Two powers of two whose product is a scale.
struct Halves {
  Value first, second;
};

/// 2^(e - 127) is 2^(e / 2 - 64) times the rest, or 2^(e / 2 - 63) times the rest. With one way for a and the other for b, first
/// times first is in [2^-127, 2^127], and second times second, too; nothing overflows on the way to a result that does not.
Halves halves(const TileType& scales, Value value, bool is_a, Loc loc) {
  const TileType integers = with(scales, DType::i32), floats = with(scales, DType::f32);
  const auto number = [&](std::int64_t n) { return constant(integers, n, loc); };
  const auto power = [&](Value exponent, std::int64_t bias) {
    const Value field = binary(Op::add, integers, exponent, number(bias), loc);
    return emit("tile.bitcast", floats, {binary(Op::shl, integers, field, number(23), loc)}, loc);
  };
  const Value bits = emit("tile.bitcast", with(scales, DType::u8), {value}, loc);
  const Value exponent = cast(integers, bits, Rounding::nearest_even, false, loc);
  const Value half = binary(Op::shr, integers, exponent, number(1), loc);
  const Value rest = binary(Op::sub, integers, exponent, half, loc);
  const Value is_nan = binary(Op::eq, integers, exponent, number(255), loc);
  const Value nan = constant(floats, std::numeric_limits<double>::quiet_NaN(), loc);
  return {emit("tile.select", floats, {is_nan, nan, power(half, is_a ? 63 : 64)}, loc), power(rest, is_a ? 64 : 63)};
}

/// The operand with its fp8 numbers in the other's type, which holds them exactly.
void widen(ScaledOperand& operand, DType other, Loc loc) {
  if (!is_fp8(operand.type.dtype) || is_fp8(other))
    return;
  operand.type.dtype = other;
  operand.tile = cast(operand.type, operand.tile, Rounding::nearest_even, false, loc);
}

} // namespace

Value multiply_scaled(ScaledOperand a, ScaledOperand b, int blocks, const TileType& result, Value acc, Loc loc) {
  widen(a, b.type.dtype, loc);
  widen(b, a.type.dtype, loc);
  const int rows = result.rank - 2, columns = result.rank - 1; // K is along the columns of a and the rows of b
  const TileType a_floats = with(with(a.type, columns, blocks), DType::f32),
                 b_floats = with(with(b.type, rows, blocks), DType::f32);
  const bool both = a.scales != Value::none && b.scales != Value::none;
  Halves a_scales{}, b_scales{};
  if (both) {
    a_scales = halves(a_floats, a.scales, true, loc);
    b_scales = halves(b_floats, b.scales, false, loc);
  } else if (a.scales != Value::none) {
    a_scales.first = cast(a_floats, a.scales, Rounding::nearest_even, false, loc);
  } else {
    b_scales.first = cast(b_floats, b.scales, Rounding::nearest_even, false, loc);
  }
  const Value zero = constant(result, 0.0, loc);
  for (int i = 0; i < blocks; ++i) {
    const auto of_a = [&](const TileType& type, Value tile) { return part(type, tile, columns, blocks, i, loc); };
    const auto of_b = [&](const TileType& type, Value tile) { return part(type, tile, rows, blocks, i, loc); };
    Value product = emit("tile.mma", result, {of_a(a.type, a.tile), of_b(b.type, b.tile), zero}, loc, {{"tf32", false}});
    Value scale{};
    if (both) {
      const Value first = binary(Op::mul, result, of_a(a_floats, a_scales.first), of_b(b_floats, b_scales.first), loc);
      product = binary(Op::mul, result, product, first, loc);
      scale = binary(Op::mul, result, of_a(a_floats, a_scales.second), of_b(b_floats, b_scales.second), loc);
    } else {
      scale = a.scales != Value::none ? of_a(a_floats, a_scales.first) : of_b(b_floats, b_scales.first);
    }
    acc = elementwise("tile.fma", result, {product, scale, acc}, loc);
  }
  return acc;
}

} // namespace tegula::detail
