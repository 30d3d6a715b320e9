// Arithmetic of f16 and bf16, alone and in pairs: computed in f64 and rounded once.
#include <cmath>

#include "tools/ptxemu/Elementwise.h"
#include "tools/ptxemu/Formats.h"

namespace ptxemu {
namespace {

enum HalfFlag : std::uint8_t { flush = 1, saturate = 2, relu = 4, is_bf16 = 8, nan_wins = 16 };
enum class HalfOp : std::uint8_t { add, sub, mul, fma, neg, abs, min, max, ex2, tanh };

const std::map<std::string_view, HalfOp>& operations() {
  static const std::map<std::string_view, HalfOp> names = {
      {"add", HalfOp::add}, {"sub", HalfOp::sub}, {"mul", HalfOp::mul}, {"fma", HalfOp::fma}, {"neg", HalfOp::neg},
      {"abs", HalfOp::abs}, {"min", HalfOp::min}, {"max", HalfOp::max}, {"ex2", HalfOp::ex2}, {"tanh", HalfOp::tanh}};
  return names;
}

double smaller(double a, double b) { return a < b || (a == b && std::signbit(a)) ? a : b; }

std::uint16_t compute(HalfOp op, std::uint8_t flags, std::uint16_t x, std::uint16_t y, std::uint16_t z) {
  const Format& format = flags & is_bf16 ? bf16_format : f16_format;
  // Signs alone: exact, and NaN stays as it is.
  if (op == HalfOp::neg)
    return x ^ 0x8000;
  if (op == HalfOp::abs)
    return x & 0x7fff;
  auto flushed = [&](std::uint16_t bits) -> std::uint16_t {
    return (flags & flush) && (bits & format.infinity()) == 0 ? bits & 0x8000 : bits;
  };
  auto value = [&](std::uint16_t bits) -> double {
    return flags & is_bf16 ? bf16_to_float(flushed(bits)) : f16_to_float(flushed(bits));
  };
  double a = value(x), b = value(y), c = value(z), result = 0;
  switch (op) {
  case HalfOp::add:
    result = a + b;
    break;
  case HalfOp::sub:
    result = a - b;
    break;
  case HalfOp::mul:
    result = a * b;
    break;
  case HalfOp::fma:
    result = fused(a, b, c);
    break;
  case HalfOp::min:
  case HalfOp::max:
    if (std::isnan(a) || std::isnan(b))
      result = (flags & nan_wins) || (std::isnan(a) && std::isnan(b)) ? std::nan("") : std::isnan(a) ? b : a;
    else
      result = op == HalfOp::min ? smaller(a, b) : -smaller(-a, -b);
    break;
  case HalfOp::ex2:
    result = std::exp2(a);
    break;
  case HalfOp::tanh:
    result = std::tanh(a);
    break;
  case HalfOp::neg:
  case HalfOp::abs:
    break;
  }
  if (flags & saturate)
    result = result > 0 ? std::min(result, 1.0) : 0;
  if ((flags & relu) && result < 0)
    result = 0;
  return flushed(static_cast<std::uint16_t>(encode(result, format)));
}

template <int elements> void half_handler(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  auto op = static_cast<HalfOp>(in.kind);
  each(mask, [&](int l) {
    std::uint32_t result = 0;
    for (int i = 0; i < elements; ++i) {
      auto part = [i](std::uint64_t bits) { return static_cast<std::uint16_t>(bits >> (16 * i)); };
      result |= std::uint32_t(compute(op, in.flags, part(a[l]), part(b[l]), part(c[l]))) << (16 * i);
    }
    d[l] = result;
  });
}

} // namespace

void decode_half(Decoder& decoder) {
  auto op = operations().find(decoder.root());
  decoder.ignore({"rn", "approx"});
  decoder.out.flags = (decoder.take("ftz") ? flush : 0) | (decoder.take("sat") ? saturate : 0) | (decoder.take("relu") ? relu : 0) |
                      (decoder.take("NaN") ? nan_wins : 0);
  Type type = decoder.take_type();
  if (op == operations().end() || !is_half(type))
    decoder.unknown();
  if (type == Type::bf16 || type == Type::bf16x2)
    decoder.out.flags |= is_bf16;
  decoder.out.kind = static_cast<std::uint8_t>(op->second);
  bool one = op->second == HalfOp::neg || op->second == HalfOp::abs || op->second == HalfOp::ex2 || op->second == HalfOp::tanh;
  plain_operands(decoder, one ? 1 : op->second == HalfOp::fma ? 3 : 2, Type::u32);
  decoder.emit(type == Type::f16 || type == Type::bf16 ? half_handler<1> : half_handler<2>);
}

} // namespace ptxemu
