// A slot is the right to write one tile of an output. It has one store and no index that could be wrong.
#pragma once
#include "tegula/kernel/control.hpp"

namespace tegula {

namespace detail {
/// Rows and columns are the last two axes; a tile of rank 1 has one axis for both.
constexpr int row_axis(int rank) { return rank >= 2 ? rank - 2 : 0; }
constexpr int col_axis(int rank) { return rank - 1; }

constexpr Text wrong_store(const TileType& slot, const TileType& value) {
  return text("tegula: store of ", value, " into an output tile of ", slot,
              slot.dtype != value.dtype ? ": the element types differ; write cast<T>(...)" : ": the shapes differ");
}
} // namespace detail

template <class T, int... D> class Slot {
  static_assert(detail::ValidTile<T, D...>::value);

public:
  using element = T;
  using shape = detail::Shape<D...>;
  using tile = Tile<T, D...>;
  static constexpr int rank = sizeof...(D);

  explicit Slot(detail::SlotId id) : id_(id) {}
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  /// Where the tile is, counted in tiles of this shape.
  Int at(int axis, detail::Loc loc = detail::Loc::current()) const { return Int(detail::slot_index(id_, axis, loc)); }
  Int row(detail::Loc loc = detail::Loc::current()) const {
    static_assert(rank > 0, "tegula: an output of rank 0 has no rows");
    return at(detail::row_axis(rank), loc);
  }
  Int col(detail::Loc loc = detail::Loc::current()) const {
    static_assert(rank > 0, "tegula: an output of rank 0 has no columns");
    return at(detail::col_axis(rank), loc);
  }
  /// Where a piece of a split is within the tile that was split, counted in pieces: extract<16, 64>(x, t.within(0), t.within(1)).
  Int within(int axis, detail::Loc loc = detail::Loc::current()) const { return Int(detail::slot_within(id_, axis, loc)); }
  /// The extent of the tensor along an axis.
  Int extent(int axis, detail::Loc loc = detail::Loc::current()) const {
    return Int(detail::emit("tile.dim", Int::type(), {detail::slot_view(id_)}, loc, {{"axis", axis}}));
  }

  /// Writes the tile. Every slot is stored exactly once.
  template <class X> void store(const X& x, detail::Loc loc = detail::Loc::current()) const {
    if constexpr (detail::HostNumber<X> && rank == 0) {
      detail::store(id_, detail::number<T>(tile::type(), x, loc), loc);
    } else if constexpr (!detail::is_tile<X>) {
      static_assert(detail::never<X>, "tegula: store needs a tile; for a host number write full<T, extents...>(number)");
    } else {
      constexpr bool same = std::is_same_v<X, tile>;
      TEGULA_CHECK(same,
                   "tegula: store: the tile's shape or element type is not that of the output tile; use cast<T>(...) or broadcast",
                   detail::wrong_store(tile::type(), X::type()));
      if constexpr (same)
        detail::store(id_, x.id(loc), loc);
    }
  }

  detail::SlotId slot_id() const { return id_; }

private:
  detail::SlotId id_;
};

namespace detail {
/// The slots of the tiles that a program owns, as a recorded loop. `group` as in my_tile.
template <class T, int... D> class MyTilesIterator {
public:
  MyTilesIterator(SlotId outs, int group, Loc loc) : outs_(outs), group_(group), loc_(loc) { begin_my_tiles(scope_, outs, loc); }
  Slot<T, D...> operator*() { return Slot<T, D...>(my_tile(scope_, outs_, group_, loc_)); }
  void operator++() { end_iteration(scope_); }
  bool operator!=(End) const { return scope_.frame != 0; }

private:
  SlotId outs_;
  int group_;
  Loc loc_;
  Scope scope_;
};
template <class T, int... D> class [[nodiscard]] MyTiles {
public:
  MyTiles(SlotId outs, int group, Loc loc) : outs_(outs), group_(group), loc_(loc) {}
  MyTilesIterator<T, D...> begin() const { return {outs_, group_, loc_}; }
  End end() const { return {}; }

private:
  SlotId outs_;
  int group_;
  Loc loc_;
};

template <class T, int... D> class SplitIterator {
public:
  SplitIterator(SlotId slot, const TileType& whole, Loc loc) : slot_(slot), whole_(whole), loc_(loc) {
    begin_split(scope_, slot, whole, tile_type<T, D...>, loc);
  }
  Slot<T, D...> operator*() { return Slot<T, D...>(split_tile(scope_, slot_, whole_, tile_type<T, D...>, loc_)); }
  void operator++() { end_iteration(scope_); }
  bool operator!=(End) const { return scope_.frame != 0; }

private:
  SlotId slot_;
  const TileType& whole_;
  Loc loc_;
  Scope scope_;
};
template <class T, int... D> class [[nodiscard]] Split {
public:
  Split(SlotId slot, const TileType& whole, Loc loc) : slot_(slot), whole_(whole), loc_(loc) {}
  SplitIterator<T, D...> begin() const { return {slot_, whole_, loc_}; }
  End end() const { return {}; }

private:
  SlotId slot_;
  const TileType& whole_;
  Loc loc_;
};

template <class Whole, class Piece> struct CanSplit;
template <int... W, int... P> struct CanSplit<Shape<W...>, Shape<P...>> {
  static constexpr bool fits() {
    if constexpr (sizeof...(W) == sizeof...(P))
      return ((W >= P) && ...);
    else
      return false;
  }
  static constexpr bool value = fits();
  TEGULA_CHECK(value, "tegula: the pieces must have the tile's rank and no larger extent",
               text("tegula: a tile of ", ShapeOf{tile_type<f32, W...>}, " does not split into pieces of ",
                    ShapeOf{tile_type<f32, P...>}, ": they must have its rank and no larger extent"));
};
} // namespace detail

/// All sub-tiles of a slot, as slots: for (auto t : split<16, 64>(c)) t.store(...). Takes the place of the slot's own store.
template <int... P, class T, int... D> auto split(const Slot<T, D...>& slot, detail::Loc loc = detail::Loc::current()) {
  (void)detail::CanSplit<detail::Shape<D...>, detail::Shape<P...>>::value;
  return detail::Split<T, P...>(slot.slot_id(), detail::tile_type<T, D...>, loc);
}

} // namespace tegula
