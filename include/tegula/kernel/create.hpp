// Tiles from nothing: zeros, ones, full, iota.
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

template <class T, int... D> Tile<T, D...> zeros(detail::Loc loc = detail::Loc::current()) {
  if constexpr (std::is_same_v<T, bool>)
    return Tile<T, D...>(detail::number<T>(detail::tile_type<T, D...>, false, loc));
  else
    return Tile<T, D...>(detail::number<T>(detail::tile_type<T, D...>, 0, loc));
}

template <class T, int... D> Tile<T, D...> ones(detail::Loc loc = detail::Loc::current()) {
  if constexpr (std::is_same_v<T, bool>)
    return Tile<T, D...>(detail::number<T>(detail::tile_type<T, D...>, true, loc));
  else
    return Tile<T, D...>(detail::number<T>(detail::tile_type<T, D...>, 1, loc));
}

/// Every element is `value`: a host number, or a scalar of the same element type.
template <class T, int... D, class X> Tile<T, D...> full(const X& value, detail::Loc loc = detail::Loc::current()) {
  if constexpr (detail::HostNumber<X>)
    return Tile<T, D...>(detail::number<T>(detail::tile_type<T, D...>, value, loc));
  else
    return Tile<T, D...>(detail::broadcast(detail::tile_type<T, D...>, detail::scalar_of<T>(value, loc), loc));
}

/// Every element is its own index along `axis`.
template <class T, int... D> Tile<T, D...> iota(int axis = 0, detail::Loc loc = detail::Loc::current()) {
  static_assert(is_integer(detail::dtype<T>()), "tegula: iota makes integers; cast the result");
  static_assert(sizeof...(D) > 0, "tegula: iota needs a tile of rank 1 or more");
  return Tile<T, D...>(detail::emit("tile.iota", detail::tile_type<T, D...>, {}, loc, {{"axis", axis}}));
}
template <int... D> Tile<i32, D...> iota(int axis = 0, detail::Loc loc = detail::Loc::current()) {
  return iota<i32, D...>(axis, loc);
}

} // namespace tegula
