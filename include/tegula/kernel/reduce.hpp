// Reductions along an axis. The axis stays, with extent 1, so that the result broadcasts back.
#pragma once
#include "tegula/kernel/tile.hpp"

#include <tuple>

namespace tegula {

namespace detail {
enum class Elements { numbers, bools };
template <Elements E, class T> constexpr void check_elements() {
  static_assert(E != Elements::numbers || is_number(dtype<T>()),
                "tegula: fp8 and bool tiles have no arithmetic; write cast<f32>(...) first, or use any or all");
  static_assert(E != Elements::bools || std::is_same_v<T, bool>, "tegula: any and all need a tile of bool; compare first");
}

template <Combiner C, Elements E, int Axis, class T, int... D> auto reduce_with(const Tile<T, D...>& x, Loc loc) {
  check_elements<E, T>();
  if constexpr (check_axis<Axis, sizeof...(D)>()) {
    using Result = tile_of<T, with_extent<Axis, 1, Shape<D...>>>;
    return Result(emit("tile.reduce", Result::type(), {x.id(loc)}, loc, {{"combiner", static_cast<int>(C)}, {"axis", Axis}}));
  } else {
    return x;
  }
}

template <Combiner C, int Axis, class T, int... D> auto arg_reduce(const Tile<T, D...>& x, Loc loc) {
  check_elements<Elements::numbers, T>();
  if constexpr (check_axis<Axis, sizeof...(D)>()) {
    using Result = tile_of<i32, with_extent<Axis, 1, Shape<D...>>>;
    return Result(emit("tile.arg_reduce", Result::type(), {x.id(loc)}, loc, {{"combiner", static_cast<int>(C)}, {"axis", Axis}}));
  } else {
    return Tile<i32, D...>();
  }
}

template <class First, class...> struct FirstOf {
  using type = First;
};

/// reduce and scan with a callable, over one or several tiles of one shape.
template <int Axis, bool Scan, class F, class... X, std::size_t... I>
auto combine(const F& f, bool reverse, Loc loc, std::index_sequence<I...>, const X&... x) {
  using S = typename FirstOf<X...>::type::shape;
  constexpr bool one_shape = (std::is_same_v<S, typename X::shape> && ...);
  static_assert(one_shape, "tegula: the tiles that are combined together must have one shape");
  constexpr bool callable = std::is_invocable_v<const F&, Tile<typename X::element>..., Tile<typename X::element>...>;
  static_assert(callable,
                "tegula: for n tiles the combiner takes 2n scalars: those of the earlier element, then those of the later one");
  constexpr int n = sizeof...(X);
  using Out = std::conditional_t<Scan, S, with_extent<Axis, 1, S>>;
  if constexpr (check_axis<Axis, S::rank>() && one_shape && callable) {
    constexpr TileType scalars[] = {tile_type<typename X::element>...};
    constexpr TileType types[] = {tile_of<typename X::element, Out>::type()...};
    Value arguments[2 * n], results[n];
    Scope scope;
    begin_combiner(scope, Scan ? "tile.scan_by" : "tile.reduce_by", {x.id(loc)...}, Axis, reverse, scalars, arguments, loc);
    Value yields[n];
    do {
      auto combined = f(Tile<typename X::element>(arguments[I])..., Tile<typename X::element>(arguments[n + I])...);
      using Want = std::conditional_t<n == 1, typename FirstOf<Tile<typename X::element>...>::type,
                                      std::tuple<Tile<typename X::element>...>>;
      constexpr bool right = std::is_same_v<decltype(combined), Want>;
      static_assert(right,
                    "tegula: the combiner must return one scalar of each tile's element type (a std::tuple for several tiles)");
      if constexpr (!right)
        ;
      else if constexpr (n == 1)
        yields[0] = combined.id(loc);
      else
        ((yields[I] = std::get<I>(combined).id(loc)), ...);
    } while (replay(scope));
    end_combiner(scope, {yields[I]...}, types, results, loc);
    if constexpr (n == 1)
      return tile_of<typename FirstOf<X...>::type::element, Out>(results[0]);
    else
      return std::tuple<tile_of<typename X::element, Out>...>(tile_of<typename X::element, Out>(results[I])...);
  } else if constexpr (n == 1) {
    return tile_of<typename FirstOf<X...>::type::element, Out>();
  } else {
    return std::tuple<tile_of<typename X::element, Out>...>();
  }
}
} // namespace detail

#define TEGULA_REDUCTION(NAME, ELEMENTS)                                                                                           \
  template <int Axis, class T, int... D> auto NAME(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {             \
    return detail::reduce_with<detail::Combiner::NAME, detail::Elements::ELEMENTS, Axis>(x, loc);                                  \
  }
TEGULA_REDUCTION(sum, numbers)
TEGULA_REDUCTION(prod, numbers)
TEGULA_REDUCTION(min, numbers)
TEGULA_REDUCTION(max, numbers)
TEGULA_REDUCTION(any, bools)
TEGULA_REDUCTION(all, bools)
#undef TEGULA_REDUCTION

/// The index along an axis of the largest or smallest element: the first of equal ones, the first NaN if there is one.
template <int Axis, class T, int... D> auto argmax(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  return detail::arg_reduce<detail::Combiner::max, Axis>(x, loc);
}
template <int Axis, class T, int... D> auto argmin(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  return detail::arg_reduce<detail::Combiner::min, Axis>(x, loc);
}

/// Combines all elements along an axis by an associative callable, in any order that keeps neighbours together.
template <int Axis, class T, int... D, class F>
auto reduce(const Tile<T, D...>& x, const F& f, detail::Loc loc = detail::Loc::current()) {
  return detail::combine<Axis, false>(f, false, loc, std::make_index_sequence<1>{}, x);
}
template <int Axis, class... X, class F>
auto reduce(const std::tuple<X...>& x, const F& f, detail::Loc loc = detail::Loc::current()) {
  static_assert((detail::is_tile<X> && ...), "tegula: reduce needs a tile or a std::tuple of tiles");
  return std::apply(
      [&](const X&... t) { return detail::combine<Axis, false>(f, false, loc, std::index_sequence_for<X...>{}, t...); }, x);
}

} // namespace tegula
