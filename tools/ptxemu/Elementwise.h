#pragma once

// Handlers that compute each lane's result from its own operands.

#include <bit>
#include <cstring>
#include <type_traits>

#include "tools/ptxemu/Decoder.h"
#include "tools/ptxemu/Warp.h"

namespace ptxemu {

// A register holds 64 bits; a value of a smaller type is in the low ones. Signed values are kept extended.
template <class T> inline T value_of(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(static_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(bits));
  else
    return static_cast<T>(bits);
}
template <class T> inline std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else
    return static_cast<std::uint64_t>(value);
}

template <class T, class Op> void unary(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  each(mask, [=](int l) { d[l] = bits_of(Op()(value_of<T>(a[l]))); });
}
template <class T, class Op> void binary(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b);
  each(mask, [=](int l) { d[l] = bits_of(Op()(value_of<T>(a[l]), value_of<T>(b[l]))); });
}
template <class T, class Op> void ternary(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  each(mask, [=](int l) { d[l] = bits_of(Op()(value_of<T>(a[l]), value_of<T>(b[l]), value_of<T>(c[l]))); });
}

// Calls f<T>() with the C++ type of an integer type; null for other types.
template <class F> Handler for_integer(Type type, F&& f) {
  switch (type) {
  case Type::u8:
    return f.template operator()<std::uint8_t>();
  case Type::u16:
    return f.template operator()<std::uint16_t>();
  case Type::u32:
    return f.template operator()<std::uint32_t>();
  case Type::u64:
    return f.template operator()<std::uint64_t>();
  case Type::s8:
    return f.template operator()<std::int8_t>();
  case Type::s16:
    return f.template operator()<std::int16_t>();
  case Type::s32:
    return f.template operator()<std::int32_t>();
  case Type::s64:
    return f.template operator()<std::int64_t>();
  default:
    return nullptr;
  }
}
template <class Op> Handler unary_of(Type type) {
  return for_integer(type, []<class T>() { return Handler(unary<T, Op>); });
}
template <class Op> Handler binary_of(Type type) {
  return for_integer(type, []<class T>() { return Handler(binary<T, Op>); });
}
template <class Op> Handler ternary_of(Type type) {
  return for_integer(type, []<class T>() { return Handler(ternary<T, Op>); });
}

// Operands d, a[, b[, c]] of one type.
inline void plain_operands(Decoder& decoder, std::size_t sources, Type type) {
  decoder.need(sources + 1);
  decoder.out.d = decoder.result(0);
  decoder.out.a = decoder.source(1, type);
  if (sources > 1)
    decoder.out.b = decoder.source(2, type);
  if (sources > 2)
    decoder.out.c = decoder.source(3, type);
}

} // namespace ptxemu
