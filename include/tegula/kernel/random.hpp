// Random numbers that depend only on a seed and a counter, so that every back end draws the same bits.
#pragma once
#include "tegula/kernel/cast.hpp"
#include "tegula/kernel/create.hpp"
#include "tegula/kernel/math.hpp"
#include "tegula/kernel/shape.hpp"

#include <tuple>

namespace tegula {

namespace detail {
/// A 64-bit seed or offset: a host integer, or an integer scalar.
template <class X> Tile<u64> word(const X& x, Loc loc) {
  if constexpr (HostInteger<X>) {
    return Tile<u64>(constant(tile_type<u64>, static_cast<std::uint64_t>(x), loc));
  } else if constexpr (is_tile<X>) {
    static_assert(X::rank == 0 && is_integer(dtype<typename X::element>()), "tegula: a seed or offset must be an integer scalar");
    return tegula::cast<u64>(x, loc);
  } else {
    static_assert(never<X>, "tegula: a seed or offset must be a host integer or an integer scalar");
    return Tile<u64>();
  }
}

template <int... D, class Offset> Tile<u64, D...> counters(const Offset& offset, Loc loc) {
  if constexpr (sizeof...(D) == 0)
    return word(offset, loc);
  else
    return apply<Op::add>(reshape<D...>(iota<u64, (1 * ... * D)>(0, loc), loc), word(offset, loc), loc);
}

/// The upper 24 bits as a number in [0, 1).
template <int... D> Tile<f32, D...> unit_interval(const Tile<u32, D...>& bits, Loc loc) {
  return apply<Op::mul>(tegula::cast<f32>(apply<Op::shr>(bits, 8, loc), loc), 0x1p-24f, loc);
}
} // namespace detail

/// Philox 4x32 with 10 rounds: four tiles of random words, one of each per counter.
template <class Key, class T, int... D> std::tuple<Tile<u32, D...>, Tile<u32, D...>, Tile<u32, D...>, Tile<u32, D...>>
philox(const Key& key, const Tile<T, D...>& counters, detail::Loc loc = detail::Loc::current()) {
  static_assert(is_integer(detail::dtype<T>()), "tegula: philox needs a tile of integers as counters");
  using Words = Tile<u32, D...>;
  constexpr detail::TileType types[] = {Words::type(), Words::type(), Words::type(), Words::type()};
  const auto k = detail::word(key, loc);
  const auto c = cast<u64>(counters, loc);
  detail::Value words[4];
  detail::emit_several("tile.philox", types, words, 4, {k.id(loc), c.id(loc)}, loc);
  return {Words(words[0]), Words(words[1]), Words(words[2]), Words(words[3])};
}

/// Uniform in [0, 1). Element e, in row-major order, uses counter offset + e.
template <int... D, class Seed, class Offset>
Tile<f32, D...> random_uniform(const Seed& seed, const Offset& offset, detail::Loc loc = detail::Loc::current()) {
  const auto words = philox(seed, detail::counters<D...>(offset, loc), loc);
  return detail::unit_interval(std::get<0>(words), loc);
}

/// Normal with mean 0 and variance 1 (Box–Muller). Counters as for random_uniform.
template <int... D, class Seed, class Offset>
Tile<f32, D...> random_normal(const Seed& seed, const Offset& offset, detail::Loc loc = detail::Loc::current()) {
  using detail::apply_number, detail::apply, detail::Op;
  const auto words = philox(seed, detail::counters<D...>(offset, loc), loc);
  const auto u = apply_number<Op::sub, true>(detail::unit_interval(std::get<0>(words), loc), 1, loc); // in (0, 1]
  const auto angle = apply<Op::mul>(detail::unit_interval(std::get<1>(words), loc), 6.283185307179586, loc);
  const auto radius = sqrt(apply<Op::mul>(log(u, loc), -2, loc), loc);
  return apply<Op::mul>(radius, cos(angle, loc), loc);
}

} // namespace tegula
