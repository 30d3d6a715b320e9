// cast and bitcast.
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

/// Asks a cast to clamp what does not fit into the new type. From float to integer it always does.
struct Saturate {};
inline constexpr Saturate saturate;

namespace detail {
template <class To, class From> constexpr Rounding default_rounding() {
  return is_float(dtype<From>()) && is_integer(dtype<To>()) ? Rounding::toward_zero : Rounding::nearest_even;
}
template <class To, class T, int... D> Tile<To, D...> cast_tile(const Tile<T, D...>& x, Rounding rounding, bool saturate, Loc loc) {
  return Tile<To, D...>(cast(tile_type<To, D...>, x.id(loc), rounding, saturate, loc));
}
} // namespace detail

/// The same numbers in another element type: cast<f16>(x), cast<i32>(x, Rounding::up), cast<i8>(x, saturate),
/// cast<f8e4m3>(x, Rounding::toward_zero, saturate). From float to integer the default is toward zero, otherwise the nearest, ties
/// to even.
template <class To, class T, int... D> Tile<To, D...> cast(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  return detail::cast_tile<To>(x, detail::default_rounding<To, T>(), false, loc);
}
template <class To, class T, int... D>
Tile<To, D...> cast(const Tile<T, D...>& x, Saturate, detail::Loc loc = detail::Loc::current()) {
  return detail::cast_tile<To>(x, detail::default_rounding<To, T>(), true, loc);
}
template <class To, class T, int... D>
Tile<To, D...> cast(const Tile<T, D...>& x, Rounding rounding, detail::Loc loc = detail::Loc::current()) {
  static_assert(is_float(detail::dtype<To>()) || is_float(detail::dtype<T>()), "tegula: a cast between integers does not round");
  return detail::cast_tile<To>(x, rounding, false, loc);
}
template <class To, class T, int... D>
Tile<To, D...> cast(const Tile<T, D...>& x, Rounding rounding, Saturate, detail::Loc loc = detail::Loc::current()) {
  static_assert(is_float(detail::dtype<To>()) || is_float(detail::dtype<T>()), "tegula: a cast between integers does not round");
  return detail::cast_tile<To>(x, rounding, true, loc);
}
template <class To, class X> auto cast(const X&)
  requires(!detail::is_tile<X>)
{
  static_assert(detail::never<X>, "tegula: cast needs a tile; for a host number write the number itself, or Scalar<T>(number)");
  return Tile<To>();
}

/// The same bits as another element type of the same width.
template <class To, class T, int... D> Tile<To, D...> bitcast(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  static_assert(size_of(detail::dtype<To>()) == size_of(detail::dtype<T>()),
                "tegula: bitcast between element types of different width");
  static_assert(!std::is_same_v<To, bool> && !std::is_same_v<T, bool>, "tegula: bool has no bits to reinterpret; use cast");
  return Tile<To, D...>(detail::emit("tile.bitcast", detail::tile_type<To, D...>, {x.id(loc)}, loc));
}

} // namespace tegula
