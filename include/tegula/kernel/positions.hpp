// Slices at positions: gather, scatter and accumulate_at. What follows the tiles are tile indices along the axes that no positions
// address, and or_padding or unsafe("why").
#pragma once
#include "tegula/kernel/accumulate.hpp"
#include "tegula/kernel/inputs.hpp"
#include "tegula/kernel/outputs.hpp"

namespace tegula {

namespace detail {

/// Element positions along an axis, for gather, scatter and accumulate_at.
template <class P> constexpr bool check_positions() {
  if constexpr (!is_tile<P>) {
    static_assert(never<P>, "tegula: positions are a tile of integers, one for each slice: Tile<i32, N>");
    return false;
  } else {
    constexpr bool rank = P::rank == 1, integer = is_integer(dtype<typename P::element>());
    static_assert(rank, "tegula: positions are a tile of rank 1: one for each slice along the axis; reshape first");
    static_assert(integer, "tegula: positions must be integers; write cast<i32>(...)");
    return rank && integer;
  }
}
/// The tile that positions P along an axis address.
template <int Axis, class P, class T, class S> using slices = tile_of<T, with_extent<Axis, P::type().extents[0], S>>;

/// Pairs of element positions along two axes, for gather.
template <class P> constexpr bool check_pair() {
  if constexpr (!is_tile<P>) {
    static_assert(never<P>, "tegula: positions along two axes are two tiles of integers, of rank 2");
    return false;
  } else {
    constexpr bool rank = P::rank == 2, integer = is_integer(dtype<typename P::element>());
    static_assert(rank, "tegula: positions along two axes are tiles of rank 2, which broadcast against each other: "
                        "reshape<N, 1>(rows), reshape<1, M>(columns)");
    static_assert(integer, "tegula: positions must be integers; write cast<i32>(...)");
    return rank && integer;
  }
}
template <int Axis, int Second, int Rank, class P, class R> constexpr bool check_pairs() {
  constexpr bool ordered = Axis < Second;
  static_assert(ordered, "tegula: gather names its two axes in order, the lower one first");
  if constexpr (check_axis<Axis, Rank>() && check_axis<Second, Rank>() && check_pair<P>() && check_pair<R>() && ordered) {
    constexpr bool fits = Broadcast<typename P::shape, typename R::shape>::fits;
    if constexpr (!fits)
      TEGULA_CHECK(fits, "tegula: the shapes do not broadcast: extents must be equal or 1",
                   shapes_differ(P::type(), "and", R::type()));
    return fits;
  }
  return false;
}
/// The shape of the pairs, and the tile that they address.
template <class P, class R> using pairs_of = typename Broadcast<typename P::shape, typename R::shape>::type;
template <int Axis, int Second, class Pairs, class T, class S> using pair_slices =
    tile_of<T,
            with_extent<Axis, tile_of<T, Pairs>::type().extents[0], with_extent<Second, tile_of<T, Pairs>::type().extents[1], S>>>;

/// The first tile index along another axis, where bounds may stand instead.
struct OtherIndex : Index {
  template <class I>
    requires(!is_bounds<I>)
  OtherIndex(const I& i, Loc l = Loc::current()) : Index(i, l) {}
};
constexpr int count_of_others(int rank, int addressed) { return rank > addressed ? rank - addressed : 0; }
constexpr Text wrong_others(const char* name, const TileType& type, int addressed, int count) {
  return text("tegula: ", name, " on tiles of ", type, " takes ", count_of_others(type.rank, addressed),
              " tile indices after the tiles, one for each other axis, not ", count);
}

/// `Count` tile indices are in `others`.
template <int Axis, int Count, class T, int... D, class P>
auto gather_slices(const In<T, D...>& in, const P& positions, const Value* others, Bounds bounds, Loc loc) {
  constexpr bool complete = Count == count_of_others(sizeof...(D), 1);
  TEGULA_CHECK(complete, "tegula: gather takes the positions, then one tile index for each other axis",
               wrong_others("gather", tile_type<T, D...>, 1, Count));
  if constexpr (check_axis<Axis, sizeof...(D)>() && check_positions<P>() && complete) {
    using Result = slices<Axis, P, T, Shape<D...>>;
    return Result(gather(in.view(), Result::type(), positions.id(loc), others, Axis, bounds, loc));
  } else {
    return Tile<T, D...>();
  }
}
template <int Axis, int Second, int Count, class T, int... D, class P, class Q>
auto gather_pairs(const In<T, D...>& in, const P& first, const Q& second, const Value* others, Bounds bounds, Loc loc) {
  constexpr bool complete = Count == count_of_others(sizeof...(D), 2);
  TEGULA_CHECK(complete, "tegula: gather along two axes takes the positions along each, then one tile index for each other axis",
               wrong_others("gather along two axes", tile_type<T, D...>, 2, Count));
  if constexpr (check_pairs<Axis, Second, sizeof...(D), P, Q>() && complete) {
    using Pairs = pairs_of<P, Q>;
    using Result = pair_slices<Axis, Second, Pairs, T, Shape<D...>>;
    constexpr std::int64_t axes[] = {Axis, Second};
    const Value both[] = {broadcast(tile_of<typename P::element, Pairs>::type(), first.id(loc), loc),
                          broadcast(tile_of<typename Q::element, Pairs>::type(), second.id(loc), loc)};
    return Result(gather_pairs(in.view(), Result::type(), both[0], both[1], others, axes, bounds, loc));
  } else {
    return Tile<T, D...>();
  }
}
template <int Axis, int Count, class T, int... D, class P, class X>
void scatter_slices(const Claimed<T, D...>& out, const P& positions, const X& x, const Value* others, Bounds bounds, Loc loc) {
  constexpr bool complete = Count == count_of_others(sizeof...(D), 1);
  TEGULA_CHECK(complete, "tegula: scatter takes the positions, the tile, then one tile index for each other axis",
               wrong_others("scatter", tile_type<T, D...>, 1, Count));
  if constexpr (check_axis<Axis, sizeof...(D)>() && check_positions<P>() && complete)
    scatter(out.output(), written<slices<Axis, P, T, Shape<D...>>>(x, loc), positions.id(loc), others, Axis, bounds, loc);
}
template <int Axis, int Count, class T, int... D, class P, class X> void
accumulate_slices(const Accumulates<T, D...>& into, const P& positions, const X& x, const Value* others, Bounds bounds, Loc loc) {
  constexpr bool complete = Count == count_of_others(sizeof...(D), 1);
  TEGULA_CHECK(complete, "tegula: accumulate_at takes the positions, the tile, then one tile index for each other axis",
               wrong_others("accumulate_at", tile_type<T, D...>, 1, Count));
  if constexpr (check_axis<Axis, sizeof...(D)>() && check_positions<P>() && complete)
    accumulate_at(into.output(), written<slices<Axis, P, T, Shape<D...>>>(x, loc), positions.id(loc), others, Axis, bounds, loc);
}

} // namespace detail

/// Slices along an axis, each at the element position that a tile of integers says: gather<0>(table, tokens, j).
template <int Axis, class T, int... D, class P>
auto gather(const In<T, D...>& in, const P& positions, detail::MayPad bounds = {}, detail::Loc loc = detail::Loc::current()) {
  return detail::gather_slices<Axis, 0>(in, positions, nullptr, bounds, loc);
}
template <int Axis, class T, int... D, class P, class... I>
auto gather(const In<T, D...>& in, const P& positions, detail::OtherIndex other, const I&... rest) {
  const detail::Value others[] = {other.value, detail::index_of(rest, other.loc)...};
  return detail::gather_slices<Axis, 1 + detail::count_of_indices<I...>>(in, positions, others, detail::bounds_of(rest...),
                                                                         other.loc);
}

/// Slices along two axes, each at the pair of element positions that two tiles say: they are of rank 2, for the slices along both
/// axes, and are broadcast against each other.
template <int Axis, int Second, class T, int... D, class P, class Q> auto gather(const In<T, D...>& in, const P& first,
                                                                                 const Q& second, detail::MayPad bounds = {},
                                                                                 detail::Loc loc = detail::Loc::current()) {
  return detail::gather_pairs<Axis, Second, 0>(in, first, second, nullptr, bounds, loc);
}
template <int Axis, int Second, class T, int... D, class P, class Q, class... I>
auto gather(const In<T, D...>& in, const P& first, const Q& second, detail::OtherIndex other, const I&... rest) {
  const detail::Value others[] = {other.value, detail::index_of(rest, other.loc)...};
  return detail::gather_pairs<Axis, Second, 1 + detail::count_of_indices<I...>>(in, first, second, others,
                                                                                detail::bounds_of(rest...), other.loc);
}
template <int... Axes, ParameterKind K, class T, int... D, class... X>
Tile<T, D...> gather(const detail::Into<K, T, D...>& into, const X&...) {
  return into.template cannot_be_read<T>();
}

/// Writes slices of an OutTiles or Patch along an axis, each at the element position that a tile of integers says. No two programs
/// may write one element.
template <int Axis, class T, int... D, class P, class X> void scatter(const detail::Claimed<T, D...>& out, const P& positions,
                                                                      const X& x, detail::NoPad bounds = {},
                                                                      detail::Loc loc = detail::Loc::current()) {
  detail::scatter_slices<Axis, 0>(out, positions, x, nullptr, bounds, loc);
}
template <int Axis, class T, int... D, class P, class X, class... I>
void scatter(const detail::Claimed<T, D...>& out, const P& positions, const X& x, detail::OtherIndex other, const I&... rest) {
  const detail::Value others[] = {other.value, detail::index_of(rest, other.loc)...};
  detail::scatter_slices<Axis, 1 + detail::count_of_indices<I...>>(out, positions, x, others,
                                                                   detail::bounds_of<detail::NoPad>(rest...), other.loc);
}

/// Combines slices along an axis into an AddInto and its like, each at the element position that a tile of integers says. Positions
/// may repeat.
template <int Axis, class T, int... D, class P, class X>
void accumulate_at(const detail::Accumulates<T, D...>& into, const P& positions, const X& x, detail::MayPad bounds = {},
                   detail::Loc loc = detail::Loc::current()) {
  detail::accumulate_slices<Axis, 0>(into, positions, x, nullptr, bounds, loc);
}
template <int Axis, class T, int... D, class P, class X, class... I>
void accumulate_at(const detail::Accumulates<T, D...>& into, const P& positions, const X& x, detail::OtherIndex other,
                   const I&... rest) {
  const detail::Value others[] = {other.value, detail::index_of(rest, other.loc)...};
  detail::accumulate_slices<Axis, 1 + detail::count_of_indices<I...>>(into, positions, x, others, detail::bounds_of(rest...),
                                                                      other.loc);
}

} // namespace tegula
