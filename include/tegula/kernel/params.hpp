// What a kernel is given: In (read-only), Out (one tile to write), Outs (several), and scalars, which are plain Tile<T>.
#pragma once
#include "tegula/kernel/slot.hpp"

namespace tegula {

namespace detail {
/// The place of a slot, for reading an input there.
template <class S> struct Place {
  SlotId slot;
  Loc loc;
  template <class T, int... D> Place(const Slot<T, D...>& s, Loc l = Loc::current()) : slot(s.slot_id()), loc(l) {
    TEGULA_CHECK((std::is_same_v<S, Shape<D...>>),
                 "tegula: the input and the output have different tile shapes here; give the tile's index: a(i, j)",
                 message<D...>(S{}));
  }
  template <class X>
    requires(!requires(const X& x) { x.slot_id(); })
  Place(const X&) {
    static_assert(never<X>, "tegula: a[t] reads where an output tile is: t must be an Out, or a tile of my_tiles() or split");
  }

private:
  template <int... D, int... I> static constexpr Text message(Shape<I...>) {
    return text("tegula: an input with tiles of ", ShapeOf{tile_type<f32, I...>}, " at an output tile of ",
                ShapeOf{tile_type<f32, D...>}, ": the shapes differ; give the tile's index: a(i, j)");
  }
};
} // namespace detail

/// A tensor to read, in tiles of the extents D. What lies outside the tensor reads as zero, or as the pad that is given.
template <class T, int... D> class In {
  static_assert(detail::ValidTile<T, D...>::value);
  using Loc = detail::Loc;

public:
  using element = T;
  using shape = detail::Shape<D...>;
  using tile = Tile<T, D...>;
  static constexpr int rank = sizeof...(D);

  explicit In(detail::Value view) : view_(view) {}
  In(const In&) = delete;
  In& operator=(const In&) = delete;

  /// The tile with the tile index i...
  tile operator()(detail::IndexFor<D>... i, Loc loc = Loc::current()) const { return read(detail::Value::none, loc, i...); }
  /// The same with a value for what lies outside the tensor: a host number or a scalar of T.
  template <class X> tile load_or(const X& pad, detail::IndexFor<D>... i, Loc loc = Loc::current()) const {
    return read(detail::scalar_of<T>(pad, loc), loc, i...);
  }
  /// The tile where an output's tile is.
  tile operator[](detail::Place<shape> place) const {
    return tile(detail::load_at(view_, tile::type(), place.slot, detail::Value::none, place.loc));
  }
  template <class X> tile load(detail::Place<shape> place, const X& pad) const {
    return tile(detail::load_at(view_, tile::type(), place.slot, detail::scalar_of<T>(pad, place.loc), place.loc));
  }
  template <class... I>
    requires(sizeof...(I) != sizeof...(D))
  tile operator()(const I&...) const {
    TEGULA_CHECK(
        (detail::never<I...>), "tegula: an input takes one tile index per axis",
        detail::text("tegula: an input with tiles of ", tile::type(), " takes ", rank, " tile indices, not ", sizeof...(I)));
    return tile();
  }

  /// The extent of the tensor along an axis, and how many tiles cover it.
  Int dim(int axis, Loc loc = Loc::current()) const { return query("tile.dim", axis, loc); }
  Int count(int axis, Loc loc = Loc::current()) const { return query("tile.num_tiles", axis, loc); }
  /// All tile indices along an axis. Rows and columns are the last two axes.
  detail::Range tiles(int axis, Loc loc = Loc::current()) const {
    return {Int(0, loc).id(loc), count(axis, loc).id(loc), Int(1, loc).id(loc), loc};
  }
  detail::Range rows(Loc loc = Loc::current()) const { return tiles(detail::row_axis(rank), loc); }
  detail::Range cols(Loc loc = Loc::current()) const { return tiles(detail::col_axis(rank), loc); }

  template <class X> void store(const X&) const {
    static_assert(detail::never<X>, "tegula: an In is read-only; declare the parameter as Out<T, extents...> to store to it");
  }

  detail::Value view() const { return view_; }

private:
  template <class... I> tile read(detail::Value pad, Loc loc, I... i) const {
    const detail::Value indices[] = {i.value..., detail::Value::none};
    return tile(detail::load(view_, tile::type(), indices, rank, pad, loc));
  }
  Int query(const char* op, int axis, Loc loc) const { return Int(detail::emit(op, Int::type(), {view_}, loc, {{"axis", axis}})); }

  detail::Value view_;
};

/// The one tile of the output that this program writes.
template <class T, int... D> class Out : public Slot<T, D...> {
public:
  explicit Out(detail::Value view) : Slot<T, D...>(detail::output_slot(view)) {}
  /// How many tiles cover the tensor along an axis.
  Int count(int axis, detail::Loc loc = detail::Loc::current()) const {
    return Int(detail::emit("tile.num_tiles", Int::type(), {detail::slot_view(this->slot_id())}, loc, {{"axis", axis}}));
  }
};

/// The tiles of the output that this program writes, one after the other.
template <class T, int... D> class Outs {
  static_assert(detail::ValidTile<T, D...>::value);
  using Loc = detail::Loc;

public:
  using element = T;
  using shape = detail::Shape<D...>;
  using tile = Tile<T, D...>;
  static constexpr int rank = sizeof...(D);

  explicit Outs(detail::Value view) : id_(detail::output_slot(view)) {}
  Outs(const Outs&) = delete;
  Outs& operator=(const Outs&) = delete;

  /// for (auto t : c.my_tiles()) t.store(...)
  detail::MyTiles<T, D...> my_tiles(Loc loc = Loc::current()) const { return detail::MyTiles<T, D...>(id_, loc); }
  Int dim(int axis, Loc loc = Loc::current()) const { return query("tile.dim", axis, loc); }
  Int count(int axis, Loc loc = Loc::current()) const { return query("tile.num_tiles", axis, loc); }

  template <class X> void store(const X&) const {
    static_assert(detail::never<X>, "tegula: an Outs has several tiles; write for (auto t : c.my_tiles()) t.store(...)");
  }

private:
  Int query(const char* op, int axis, Loc loc) const {
    return Int(detail::emit(op, Int::type(), {detail::slot_view(id_)}, loc, {{"axis", axis}}));
  }
  detail::SlotId id_;
};

/// A sub-tile of an input, its index counted in sub-tiles: load<16, 64>(a, i, j). load_or gives the value for what lies outside.
template <int... P, class T, int... D, class... I>
Tile<T, P...> load(const In<T, D...>& in, detail::Index first, const I&... rest) {
  (void)detail::CanSplit<detail::Shape<D...>, detail::Shape<P...>>::value;
  static_assert(1 + sizeof...(I) == sizeof...(D), "tegula: load needs one sub-tile index per axis");
  const detail::Value indices[] = {first.value, detail::Index(rest, first.loc).value...};
  return Tile<T, P...>(detail::load(in.view(), detail::tile_type<T, P...>, indices, sizeof...(D), detail::Value::none, first.loc));
}
template <int... P, class T, int... D, class X, class... I>
Tile<T, P...> load_or(const In<T, D...>& in, const X& pad, detail::Index first, const I&... rest) {
  (void)detail::CanSplit<detail::Shape<D...>, detail::Shape<P...>>::value;
  static_assert(1 + sizeof...(I) == sizeof...(D), "tegula: load_or needs one sub-tile index per axis");
  const detail::Value indices[] = {first.value, detail::Index(rest, first.loc).value...};
  return Tile<T, P...>(
      detail::load(in.view(), detail::tile_type<T, P...>, indices, sizeof...(D), detail::scalar_of<T>(pad, first.loc), first.loc));
}

} // namespace tegula
