// Scans along an axis, sorting and top-k.
#pragma once
#include "tegula/kernel/reduce.hpp"

namespace tegula {

/// Asks a scan to run from the end of the axis.
struct Reverse {};
inline constexpr Reverse reverse;
/// Asks for the largest first.
struct Descending {};
inline constexpr Descending descending;

namespace detail {
template <Combiner C, class T, int... D> Tile<T, D...> scan_with(const Tile<T, D...>& x, int axis, bool reverse, Loc loc) {
  check_elements<Elements::numbers, T>();
  return Tile<T, D...>(
      emit("tile.scan", x.type(), {x.id(loc)}, loc, {{"combiner", static_cast<int>(C)}, {"axis", axis}, {"reverse", reverse}}));
}

template <int Axis, int K, class T, int... D> auto sort_with(const Tile<T, D...>& x, bool descending, Loc loc) {
  check_elements<Elements::numbers, T>();
  using Kept = with_extent<Axis, K, Shape<D...>>;
  constexpr TileType types[] = {tile_of<T, Kept>::type(), tile_of<i32, Kept>::type()};
  Value values[2];
  emit_several("tile.sort", types, values, 2, {x.id(loc)}, loc, {{"axis", Axis}, {"descending", descending}});
  return std::tuple{tile_of<T, Kept>(values[0]), tile_of<i32, Kept>(values[1])};
}

template <int Axis, int... D> constexpr int extent_of() {
  constexpr int extents[] = {D..., 1};
  return extents[Axis];
}
template <int Axis, class T, int... D> auto sort_all(const Tile<T, D...>& x, bool descending, Loc loc) {
  if constexpr (check_axis<Axis, sizeof...(D)>())
    return sort_with<Axis, extent_of<Axis, D...>()>(x, descending, loc);
  else
    return std::tuple<Tile<T, D...>, Tile<i32, D...>>();
}
} // namespace detail

/// Each element becomes the sum, or product, of all up to and including it.
template <int Axis, class T, int... D> Tile<T, D...> cumsum(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  detail::check_axis<Axis, sizeof...(D)>();
  return detail::scan_with<detail::Combiner::sum>(x, Axis, false, loc);
}
template <int Axis, class T, int... D>
Tile<T, D...> cumsum(const Tile<T, D...>& x, Reverse, detail::Loc loc = detail::Loc::current()) {
  detail::check_axis<Axis, sizeof...(D)>();
  return detail::scan_with<detail::Combiner::sum>(x, Axis, true, loc);
}
template <int Axis, class T, int... D> Tile<T, D...> cumprod(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  detail::check_axis<Axis, sizeof...(D)>();
  return detail::scan_with<detail::Combiner::prod>(x, Axis, false, loc);
}
template <int Axis, class T, int... D>
Tile<T, D...> cumprod(const Tile<T, D...>& x, Reverse, detail::Loc loc = detail::Loc::current()) {
  detail::check_axis<Axis, sizeof...(D)>();
  return detail::scan_with<detail::Combiner::prod>(x, Axis, true, loc);
}

/// A scan by an associative callable, over a tile or a std::tuple of tiles.
template <int Axis, class T, int... D, class F>
auto scan(const Tile<T, D...>& x, const F& f, detail::Loc loc = detail::Loc::current()) {
  return detail::combine<Axis, true>(f, false, loc, std::make_index_sequence<1>{}, x);
}
template <int Axis, class T, int... D, class F>
auto scan(const Tile<T, D...>& x, const F& f, Reverse, detail::Loc loc = detail::Loc::current()) {
  return detail::combine<Axis, true>(f, true, loc, std::make_index_sequence<1>{}, x);
}
template <int Axis, class... X, class F>
auto scan(const std::tuple<X...>& x, const F& f, detail::Loc loc = detail::Loc::current()) {
  return std::apply(
      [&](const X&... t) { return detail::combine<Axis, true>(f, false, loc, std::index_sequence_for<X...>{}, t...); }, x);
}
template <int Axis, class... X, class F>
auto scan(const std::tuple<X...>& x, const F& f, Reverse, detail::Loc loc = detail::Loc::current()) {
  return std::apply([&](const X&... t) { return detail::combine<Axis, true>(f, true, loc, std::index_sequence_for<X...>{}, t...); },
                    x);
}

/// Sorted along an axis; equal elements keep their order, NaN counts as the largest. argsort: where each element came from.
template <int Axis, class T, int... D> Tile<T, D...> sort(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  return std::get<0>(detail::sort_all<Axis>(x, false, loc));
}
template <int Axis, class T, int... D>
Tile<T, D...> sort(const Tile<T, D...>& x, Descending, detail::Loc loc = detail::Loc::current()) {
  return std::get<0>(detail::sort_all<Axis>(x, true, loc));
}
template <int Axis, class T, int... D> Tile<i32, D...> argsort(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  return std::get<1>(detail::sort_all<Axis>(x, false, loc));
}
template <int Axis, class T, int... D>
Tile<i32, D...> argsort(const Tile<T, D...>& x, Descending, detail::Loc loc = detail::Loc::current()) {
  return std::get<1>(detail::sort_all<Axis>(x, true, loc));
}

/// The K largest along an axis, largest first, and their indices.
template <int Axis, int K, class T, int... D> auto topk(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  if constexpr (detail::check_axis<Axis, sizeof...(D)>()) {
    static_assert(K > 0 && K <= detail::extent_of<Axis, D...>() && (K & (K - 1)) == 0,
                  "tegula: topk: K must be a power of two and no larger than the axis");
    return detail::sort_with<Axis, K>(x, true, loc);
  } else {
    return std::tuple<Tile<T, D...>, Tile<i32, D...>>();
  }
}

} // namespace tegula
