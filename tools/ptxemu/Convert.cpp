// cvt between integers, and between integers and floating-point numbers; ConvertFloat.cpp has the rest.
#include <cfenv>
#include <cmath>
#include <limits>

#include "tools/ptxemu/ConvertFloat.h"
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

template <class To, class From, bool saturate> void integer_to_integer(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  each(mask, [=](int l) {
    From value = value_of<From>(a[l]);
    if constexpr (saturate) {
      using Limits = std::numeric_limits<To>;
      __int128 wide = std::is_signed_v<From> ? __int128(static_cast<std::int64_t>(bits_of(value))) : __int128(bits_of(value));
      wide = std::min<__int128>(std::max<__int128>(wide, Limits::min()), Limits::max());
      d[l] = bits_of(static_cast<To>(wide));
    } else {
      d[l] = bits_of(static_cast<To>(value));
    }
  });
}

Handler integer_handler(Type to, Type from, bool saturate) {
  return for_integer(to, [&]<class To>() {
    return for_integer(from, [&]<class From>() {
      return Handler(saturate ? integer_to_integer<To, From, true> : integer_to_integer<To, From, false>);
    });
  });
}

template <class To, class From> void integer_to_float(Warp& warp, const Instruction& in, Mask mask) {
#pragma STDC FENV_ACCESS ON
  constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  std::fesetround(modes[in.kind]);
  for (; mask; mask &= mask - 1) {
    int l = std::countr_zero(mask);
    To value = static_cast<To>(value_of<From>(a[l]));
    d[l] = bits_of((in.flags & convert_saturate) ? std::min(std::max(value, To(0)), To(1)) : value);
  }
  std::fesetround(FE_TONEAREST);
}

// To double without losing that there was more: what does not fit leaves the last bit set.
double to_odd(std::uint64_t magnitude) {
  int excess = std::max(0, 11 - std::countl_zero(magnitude));
  std::uint64_t kept = magnitude >> excess << excess;
  return static_cast<double>(kept | (kept != magnitude ? std::uint64_t(1) << excess : 0));
}

template <class From> void integer_to_half(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  const Format& format = static_cast<Type>(in.count) == Type::bf16 ? bf16_format : f16_format;
  each(mask, [&](int l) {
    From value = value_of<From>(a[l]);
    bool negative = value < From(0);
    std::uint64_t bits = bits_of(value);
    double magnitude = to_odd(negative ? 0 - bits : bits);
    d[l] = encode(negative ? -magnitude : magnitude, format, static_cast<Round>(in.kind));
  });
}

template <class To> std::uint64_t clamp_to(double value, bool wide) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(value))
    return wide ? bits_of(static_cast<To>(std::uint64_t(1) << (8 * sizeof(To) - 1))) : 0;
  if (value <= static_cast<double>(Limits::min()))
    return bits_of(Limits::min());
  if (value >= static_cast<double>(Limits::max()))
    return bits_of(Limits::max());
  return bits_of(static_cast<To>(value));
}

template <class To> void float_to_integer(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  auto from = static_cast<Type>(in.bytes);
  bool wide = from == Type::f64 || sizeof(To) == 8;
  each(mask, [&](int l) {
    double value = float_value(a[l], from, in.flags & convert_flush);
    d[l] = clamp_to<To>(round_to_integer(value, static_cast<Round>(in.kind)), wide);
  });
}

} // namespace

void decode_convert(Decoder& decoder) {
  if (decoder.take("pack"))
    return decode_convert_pack(decoder);
  std::optional<Round> integral;
  for (auto [name, round] : {std::pair{"rni", Round::nearest}, {"rzi", Round::zero}, {"rmi", Round::down}, {"rpi", Round::up}})
    if (decoder.take(name))
      integral = round;
  decoder.out.kind = static_cast<std::uint8_t>(integral ? *integral : decoder.take_round());
  decoder.out.flags = (decoder.take("ftz") ? convert_flush : 0) | (decoder.take("sat") ? convert_saturate : 0) |
                      (decoder.take("relu") ? convert_relu : 0) | (decoder.take("satfinite") ? convert_finite : 0) |
                      (integral ? convert_integral : 0);
  Type to = decoder.take_type(), from = decoder.take_type();
  decoder.out.count = static_cast<std::uint8_t>(to);
  decoder.out.bytes = static_cast<std::uint8_t>(from);
  if (!is_integer(to) && !is_integer(from))
    return decode_convert_float(decoder, to, from);
  decoder.need(2);
  decoder.out.d = decoder.result(0);
  decoder.out.a = decoder.source(1, from);
  Handler handler = nullptr;
  if (is_integer(to) && is_integer(from))
    handler = integer_handler(to, from, decoder.out.flags & convert_saturate);
  else if (is_integer(to))
    handler = for_integer(to, []<class T>() { return Handler(float_to_integer<T>); });
  else if (to == Type::f32)
    handler = for_integer(from, []<class T>() { return Handler(integer_to_float<float, T>); });
  else if (to == Type::f64)
    handler = for_integer(from, []<class T>() { return Handler(integer_to_float<double, T>); });
  else if (to == Type::f16 || to == Type::bf16)
    handler = for_integer(from, []<class T>() { return Handler(integer_to_half<T>); });
  if (!handler)
    decoder.unknown();
  decoder.emit(handler);
}

} // namespace ptxemu
