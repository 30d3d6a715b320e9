// Integers of 4 bits, two in a byte.
#pragma once
#include "tegula/kernel/cast.hpp"
#include "tegula/kernel/operators.hpp"

#include <tuple>

namespace tegula {

/// Two integers of 4 bits in each byte, in [-8, 8): those in the low halves, and those in the high halves. Which elements of a
/// tensor share a byte is the kernel's affair; cheapest is what needs no interleaving: the two halves of a group.
template <int... D>
std::tuple<Tile<i8, D...>, Tile<i8, D...>> unpack_i4(const Tile<u8, D...>& bytes, detail::Loc loc = detail::Loc::current()) {
  const auto low = bitcast<i8>(detail::apply<detail::Op::shl>(bytes, 4, loc), loc), high = bitcast<i8>(bytes, loc);
  return {detail::apply<detail::Op::shr>(low, 4, loc), detail::apply<detail::Op::shr>(high, 4, loc)};
}

/// The same of integers in [0, 16).
template <int... D>
std::tuple<Tile<u8, D...>, Tile<u8, D...>> unpack_u4(const Tile<u8, D...>& bytes, detail::Loc loc = detail::Loc::current()) {
  return {detail::apply<detail::Op::bit_and>(bytes, 15, loc), detail::apply<detail::Op::shr>(bytes, 4, loc)};
}

template <class X> std::tuple<X, X> unpack_i4(const X& x) {
  static_assert(detail::never<X>, "tegula: unpack_i4 needs a tile of u8, which holds two integers in each element");
  return {x, x};
}
template <class X> std::tuple<X, X> unpack_u4(const X& x) {
  static_assert(detail::never<X>, "tegula: unpack_u4 needs a tile of u8, which holds two integers in each element");
  return {x, x};
}

} // namespace tegula
