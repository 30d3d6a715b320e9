// The operations that the language's headers record.
#include "lib/trace/RecorderState.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace tegula::detail {

using trace::Recorder;
using trace::Type;
using trace::type_of;

namespace {
/// The largest finite value that rounds into a float type.
double largest(DType t) {
  switch (t) {
  case DType::f64:
    return std::numeric_limits<double>::max();
  case DType::f32:
    return 0x1.ffffffp127;
  case DType::bf16:
    return 0x1.ffp127;
  case DType::f16:
    return 65520;
  case DType::f8e4m3:
    return 464;
  case DType::f8e5m2:
    return 61440;
  case DType::f8e8m0:
    return 0x1p127;
  default:
    return 0; // is no float type
  }
}

bool fits(DType t, double d) {
  if (std::isnan(d))
    return true;
  if (t == DType::f8e8m0)
    return d >= 0x1p-127 && d <= largest(t);
  return std::isinf(d) ? t != DType::f8e4m3 : std::fabs(d) <= largest(t);
}

std::string text_of(double d) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", d);
  return text;
}

void check_axis(const Recorder& r, const TileType& result, Values operands, Loc loc, Attributes attributes) {
  for (const Attribute& a : attributes) {
    if (std::strcmp(a.name, "axis") != 0)
      continue;
    const auto rank = operands.size() ? static_cast<std::int64_t>(r.type(*operands.begin()).shape.size()) : result.rank;
    if (a.integer < 0 || a.integer >= rank)
      r.fail("axis " + std::to_string(a.integer) + " does not exist; the rank is " + std::to_string(rank), loc);
  }
}
} // namespace

Value constant(const TileType& type, double d, Loc loc) {
  Recorder& r = Recorder::current(loc);
  if (!fits(type.dtype, d))
    r.fail("the number " + text_of(d) + " does not fit " + name(type.dtype), loc);
  return r.append_constant(type_of(type), d, loc);
}

Value constant(const TileType& type, std::int64_t n, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const int bits = type.dtype == DType::boolean ? 1 : 8 * size_of(type.dtype);
  const bool is_signed = !is_unsigned(type.dtype) && type.dtype != DType::boolean;
  const bool fits = is_signed ? bits == 64 || (n >= -(std::int64_t{1} << (bits - 1)) && n < std::int64_t{1} << (bits - 1))
                              : n >= 0 && (bits == 64 || n < std::int64_t{1} << bits);
  if (!fits)
    r.fail("the number " + std::to_string(n) + " does not fit " + name(type.dtype), loc);
  return r.append_constant(type_of(type), n, loc);
}

Value constant(const TileType& type, std::uint64_t n, Loc loc) {
  if (n <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return constant(type, static_cast<std::int64_t>(n), loc);
  Recorder& r = Recorder::current(loc);
  if (type.dtype != DType::u64)
    r.fail("the number " + std::to_string(n) + " does not fit " + name(type.dtype), loc);
  return r.append_constant(type_of(type), static_cast<std::int64_t>(n), loc);
}

Value emit(const char* op, const TileType& result, Values operands, Loc loc, Attributes attributes) {
  Recorder& r = Recorder::current(loc);
  check_axis(r, result, operands, loc, attributes);
  return r.append_with_result(op, type_of(result), operands, loc, attributes);
}

void emit_several(const char* op, const TileType* results, Value* values, int count, Values operands, Loc loc,
                  Attributes attributes) {
  Recorder& r = Recorder::current(loc);
  check_axis(r, results[0], operands, loc, attributes);
  values[0] = r.append_with_result(op, type_of(results[0]), operands, loc, attributes);
  for (int i = 1; i < count; ++i)
    values[i] = r.add_result(type_of(results[i]));
}

void effect(const char* op, Values operands, Loc loc, Attributes attributes) {
  Recorder& r = Recorder::current(loc);
  if (r.in_combiner())
    r.fail("a combiner only computes: it cannot print, check or store", loc);
  r.append(op, operands, loc, attributes);
}

Value broadcast(const TileType& to, Value v, Loc loc) {
  Recorder& r = Recorder::current(loc);
  Type type = type_of(to);
  type.dtype = r.type(v).dtype;
  return r.type(v) == type ? v : r.append_with_result("tile.broadcast", std::move(type), {{v}}, loc);
}

Value elementwise(const char* op, const TileType& result, Values operands, Loc loc, Attributes attributes) {
  Recorder& r = Recorder::current(loc);
  std::vector<Value> all;
  for (Value v : operands)
    all.push_back(broadcast(result, v, loc));
  return r.append_with_result(op, type_of(result), all, loc, attributes);
}

Value binary(Op op, const TileType& type, Value a, Value b, Loc loc) {
  constexpr const char* names[] = {"tile.add", "tile.sub",   "tile.mul", "tile.div", "tile.rem", "tile.min", "tile.max",
                                   "tile.pow", "tile.atan2", "tile.and", "tile.or",  "tile.xor", "tile.shl", "tile.shr"};
  if (op < Op::eq)
    return elementwise(names[static_cast<int>(op)], type, {a, b}, loc);
  TileType result = type;
  result.dtype = DType::boolean;
  return elementwise("tile.cmp", result, {a, b}, loc, {{"predicate", static_cast<int>(op) - static_cast<int>(Op::eq)}});
}

Value cast(const TileType& to, Value v, Rounding rounding, bool saturate, Loc loc) {
  const Recorder& r = Recorder::current(loc);
  if (r.type(v).dtype == to.dtype)
    return v;
  return emit("tile.cast", to, {v}, loc, {{"rounding", static_cast<int>(rounding)}, {"saturate", saturate}});
}

Value index(Value v, Loc loc) { return cast({DType::i64, 0, {}}, v, Rounding::nearest_even, false, loc); }

} // namespace tegula::detail
