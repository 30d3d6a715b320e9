// The same elements in another shape or order; tiles put together and taken apart.
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

namespace detail {
template <class T, class From, class To> struct CanReshape;
template <class T, int... F, int... D> struct CanReshape<T, Shape<F...>, Shape<D...>> {
  static constexpr bool value = (std::int64_t{1} * ... * F) == (std::int64_t{1} * ... * D);
  TEGULA_CHECK(value, "tegula: reshape must keep the number of elements",
               text("tegula: reshape of ", tile_type<T, F...>, " to ", ShapeOf{tile_type<T, D...>},
                    " must keep the number of elements"));
};

template <class S> struct Axes;
template <int... D> struct Axes<Shape<D...>> {
  static constexpr int extents[] = {D..., 1};
  template <int... A> using permuted = Shape<extents[A]...>;
  template <int... A> static constexpr bool is_permutation() {
    constexpr int rank = sizeof...(D);
    bool seen[rank + 1]{};
    for (int a : {A..., -1})
      if (a >= 0 && a < rank)
        seen[a] = true;
    int count = 0;
    for (int i = 0; i < rank; ++i)
      count += seen[i];
    return sizeof...(A) == rank && count == rank;
  }
};

template <class T, class S, class Order> struct Transposed;
template <class T, int... D, std::size_t... I> struct Transposed<T, Shape<D...>, std::index_sequence<I...>> {
  static constexpr int rank = sizeof...(D);
  static constexpr int axis(int i) { return i == rank - 1 ? rank - 2 : i == rank - 2 ? rank - 1 : i; }
  static constexpr std::int64_t order[] = {axis(I)...};
  using type = Tile<T, Axes<Shape<D...>>::extents[axis(I)]...>;
};
} // namespace detail

/// The same elements, in row-major order, under another shape.
template <int... D, class T, int... F> Tile<T, D...> reshape(const Tile<T, F...>& x, detail::Loc loc = detail::Loc::current()) {
  (void)detail::CanReshape<T, detail::Shape<F...>, detail::Shape<D...>>::value;
  return Tile<T, D...>(detail::emit("tile.reshape", detail::tile_type<T, D...>, {x.id(loc)}, loc));
}

/// Axis i of the result is axis Axes[i] of x.
template <int... Axes, class T, int... D> auto permute(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  using From = detail::Axes<detail::Shape<D...>>;
  constexpr bool legal = From::template is_permutation<Axes...>();
  static_assert(legal, "tegula: permute names every axis of the tile exactly once");
  if constexpr (legal) {
    using Result = detail::tile_of<T, typename From::template permuted<Axes...>>;
    constexpr std::int64_t order[] = {Axes..., 0};
    return Result(detail::emit("tile.permute", Result::type(), {x.id(loc)}, loc, {{"permutation", order, int(sizeof...(D))}}));
  } else {
    return x;
  }
}

/// The last two axes exchanged.
template <class T, int... D> auto transpose(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  static_assert(sizeof...(D) >= 2, "tegula: transpose needs a tile of rank 2 or more");
  if constexpr (sizeof...(D) >= 2) {
    using To = detail::Transposed<T, detail::Shape<D...>, std::make_index_sequence<sizeof...(D)>>;
    return typename To::type(
        detail::emit("tile.permute", To::type::type(), {x.id(loc)}, loc, {{"permutation", To::order, int(sizeof...(D))}}));
  } else {
    return x;
  }
}

/// Repeated along axes of extent 1 and missing leading axes.
template <int... D, class T, int... F> Tile<T, D...> broadcast(const Tile<T, F...>& x, detail::Loc loc = detail::Loc::current()) {
  using Both = detail::Broadcast<detail::Shape<F...>, detail::Shape<D...>>;
  constexpr bool fits = Both::fits && std::is_same_v<typename Both::type, detail::Shape<D...>>;
  TEGULA_CHECK(fits, "tegula: the tile does not broadcast to this shape: extents must be equal or 1",
               detail::text("tegula: ", detail::tile_type<T, F...>, " does not broadcast to ",
                            detail::ShapeOf{detail::tile_type<T, D...>}, ": extents must be equal or 1"));
  return Tile<T, D...>(detail::broadcast(detail::tile_type<T, D...>, x.id(loc), loc));
}

/// Two tiles of one type side by side along an axis.
template <int Axis, class T, int... D, class B>
auto concatenate(const Tile<T, D...>& a, const B& b, detail::Loc loc = detail::Loc::current()) {
  constexpr bool same = std::is_same_v<B, Tile<T, D...>>;
  static_assert(same, "tegula: concatenate needs two tiles of one shape and element type");
  if constexpr (detail::check_axis<Axis, sizeof...(D)>()) {
    constexpr int extent = 2 * detail::Axes<detail::Shape<D...>>::extents[Axis];
    using Result = detail::tile_of<T, detail::with_extent<Axis, extent, detail::Shape<D...>>>;
    if constexpr (same)
      return Result(detail::emit("tile.concat", Result::type(), {a.id(loc), b.id(loc)}, loc, {{"axis", Axis}}));
    else
      return Result();
  } else {
    return a;
  }
}

namespace detail {
template <class T, class From, class To> struct CanExtract;
template <class T, int... F, int... D> struct CanExtract<T, Shape<F...>, Shape<D...>> {
  static constexpr bool fits() {
    if constexpr (sizeof...(F) == sizeof...(D))
      return ((F >= D) && ...);
    else
      return false;
  }
  static constexpr bool value = fits();
  TEGULA_CHECK(value, "tegula: the sub-tile must have the tile's rank and no larger extent",
               text("tegula: ", ShapeOf{tile_type<T, D...>}, " is no sub-tile of ", tile_type<T, F...>,
                    ": it must have the same rank and no larger extent"));
};
} // namespace detail

/// The sub-tile with the tile index i..., counted in sub-tiles. One that does not exist fails the launch.
template <int... D, class T, int... F, class... I>
Tile<T, D...> extract(const Tile<T, F...>& x, detail::Index first, const I&... rest) {
  (void)detail::CanExtract<T, detail::Shape<F...>, detail::Shape<D...>>::value;
  static_assert(1 + sizeof...(I) == sizeof...(F), "tegula: extract needs one index per axis");
  return Tile<T, D...>(detail::emit("tile.extract", detail::tile_type<T, D...>,
                                    {x.id(first.loc), first.value, detail::Index(rest, first.loc).value...}, first.loc));
}

/// The tile with the sub-tile at tile index i... replaced by `piece`.
template <class T, int... F, int... D, class... I>
Tile<T, F...> insert(const Tile<T, F...>& x, const Tile<T, D...>& piece, detail::Index first, const I&... rest) {
  (void)detail::CanExtract<T, detail::Shape<F...>, detail::Shape<D...>>::value;
  static_assert(1 + sizeof...(I) == sizeof...(F), "tegula: insert needs one index per axis");
  return Tile<T, F...>(detail::emit("tile.insert", x.type(),
                                    {piece.id(first.loc), x.id(first.loc), first.value, detail::Index(rest, first.loc).value...},
                                    first.loc));
}

} // namespace tegula
