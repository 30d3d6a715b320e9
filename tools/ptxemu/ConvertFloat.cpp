// cvt between floating-point formats, and cvt.pack.
#include "tools/ptxemu/ConvertFloat.h"

#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {

double float_value(std::uint64_t bits, Type type, bool flush) {
  switch (type) {
  case Type::f64:
    return std::bit_cast<double>(bits);
  case Type::f32:
  case Type::tf32: {
    auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return flush && std::fabs(value) < 0x1p-126F ? std::copysign(0.0F, value) : value;
  }
  case Type::f16:
    return f16_to_float(static_cast<std::uint16_t>(bits));
  case Type::bf16:
    return bf16_to_float(static_cast<std::uint16_t>(bits));
  case Type::e4m3:
    return decode(static_cast<std::uint8_t>(bits), e4m3_format);
  default:
    return decode(static_cast<std::uint8_t>(bits), e5m2_format);
  }
}

double round_to_integer(double value, Round round) {
  switch (round) {
  case Round::zero:
    return std::trunc(value);
  case Round::down:
    return std::floor(value);
  case Round::up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

namespace {

const Format& format_of(Type type) {
  switch (type) {
  case Type::f16:
  case Type::f16x2:
    return f16_format;
  case Type::bf16:
  case Type::bf16x2:
    return bf16_format;
  case Type::e4m3:
  case Type::e4m3x2:
    return e4m3_format;
  case Type::e5m2:
  case Type::e5m2x2:
    return e5m2_format;
  default:
    return f32_format;
  }
}

std::uint64_t float_bits(double value, Type type, const Instruction& in) {
  auto round = static_cast<Round>(in.kind);
  if (in.flags & convert_integral)
    value = round_to_integer(value, round);
  if (in.flags & convert_saturate)
    value = value > 0 ? std::min(value, 1.0) : 0;
  if ((in.flags & convert_relu) && value < 0)
    value = 0;
  if (type == Type::f64)
    return std::bit_cast<std::uint64_t>(value);
  if (type == Type::tf32) // 19 bits at the top of a float
    return std::uint64_t(encode(value, tf32_format, round, in.flags & convert_finite)) << 13 | (std::isnan(value) ? 0x1fff : 0);
  if (type == Type::f32 && round == Round::nearest) {
    auto single = static_cast<float>(value);
    if ((in.flags & convert_flush) && std::fabs(single) < 0x1p-126F)
      single = std::copysign(0.0F, single);
    return std::isnan(single) ? canonical_nan : std::bit_cast<std::uint32_t>(single);
  }
  std::uint32_t code = encode(value, format_of(type), round, in.flags & convert_finite);
  if (type == Type::f32 && (in.flags & convert_flush) && (code & 0x7f800000) == 0)
    code &= 0x80000000;
  return code;
}

void one_value(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  auto to = static_cast<Type>(in.count), from = static_cast<Type>(in.bytes);
  each(mask, [&](int l) { d[l] = float_bits(float_value(a[l], from, in.flags & convert_flush), to, in); });
}

// Two f32 become a pair; the first operand is the upper half.
void two_values(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b);
  auto to = static_cast<Type>(in.count);
  int width = format_of(to).bits();
  each(mask, [&](int l) {
    std::uint64_t high = float_bits(float_value(a[l], Type::f32, false), to, in);
    std::uint64_t low = float_bits(float_value(b[l], Type::f32, false), to, in);
    d[l] = high << width | low;
  });
}

// A pair in one format becomes a pair in another.
void pair_to_pair(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  auto to = static_cast<Type>(in.count), from = static_cast<Type>(in.bytes);
  const Format &target = format_of(to), &source = format_of(from);
  each(mask, [&](int l) {
    auto bits = static_cast<std::uint32_t>(a[l]);
    std::uint32_t low = bits & ((1U << source.bits()) - 1), high = bits >> source.bits() & ((1U << source.bits()) - 1);
    d[l] = float_bits(decode(high, source), to, in) << target.bits() | float_bits(decode(low, source), to, in);
  });
}

// cvt.pack: two integers, saturated to 16 or 8 bits; in the second case c moves up.
template <class T> void pack(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  constexpr int width = 8 * sizeof(T);
  each(mask, [=](int l) {
    auto clamp = [](std::uint64_t bits) {
      constexpr std::int64_t low = std::is_signed_v<T> ? -(1 << (width - 1)) : 0, high = low + (1 << width) - 1;
      std::int64_t value = static_cast<std::int32_t>(bits);
      return std::uint64_t(static_cast<std::make_unsigned_t<T>>(std::min(std::max(value, low), high)));
    };
    std::uint64_t above = width == 8 ? c[l] << 16 : 0;
    d[l] = static_cast<std::uint32_t>(above | clamp(a[l]) << width | clamp(b[l]));
  });
}

bool is_pair(Type type) { return type == Type::f16x2 || type == Type::bf16x2 || type == Type::e4m3x2 || type == Type::e5m2x2; }

} // namespace

void decode_convert_float(Decoder& decoder, Type to, Type from) {
  // bf16x2 as a source, and types that are only stored, have no conversion here.
  if (is_pair(to) && from == Type::f32) {
    plain_operands(decoder, 2, Type::f32);
    return decoder.emit(two_values);
  }
  plain_operands(decoder, 1, from);
  if (is_pair(to) != is_pair(from) || to == Type::pred || from == Type::pred)
    decoder.unknown();
  decoder.emit(is_pair(to) ? pair_to_pair : one_value);
}

void decode_convert_pack(Decoder& decoder) {
  decoder.take("sat");
  Type to = decoder.take_type();
  decoder.take("s32");
  decoder.take("b32");
  decoder.need(3, 4);
  decoder.out.d = decoder.result(0);
  decoder.out.a = decoder.source(1);
  decoder.out.b = decoder.source(2);
  decoder.out.c = decoder.operands() > 3 ? decoder.source(3) : decoder.constant(0);
  if (to == Type::u16 || to == Type::s16)
    return decoder.emit(to == Type::u16 ? pack<std::uint16_t> : pack<std::int16_t>);
  if (to == Type::u8 || to == Type::s8)
    return decoder.emit(to == Type::u8 ? pack<std::uint8_t> : pack<std::int8_t>);
  decoder.unknown();
}

} // namespace ptxemu
