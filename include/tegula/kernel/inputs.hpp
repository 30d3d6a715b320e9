// What a kernel reads: In, and index tensors whose values are known to be in range.
#pragma once
#include "tegula/kernel/access.hpp"
#include "tegula/kernel/slot.hpp"

#include <tuple>

namespace tegula {

namespace detail {
template <class X>
concept HasSlot = requires(const X& x) { x.slot_id(); };

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
    requires(!HasSlot<X>)
  Place(const X&) {
    static_assert(never<X>,
                  "tegula: a[t] reads where an output tile is: t must be an Out, or a tile of my_tiles(), tile() or split");
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
  using Value = detail::Value;

public:
  using element = T;
  using shape = detail::Shape<D...>;
  using tile = Tile<T, D...>;
  static constexpr int rank = sizeof...(D);

  explicit In(Value view) : view_(view) {}
  In(const In&) = delete;
  In& operator=(const In&) = delete;

  /// The tile with the tile index i...
  tile operator()(detail::IndexFor<D>... i, detail::MayPad bounds = {}, Loc loc = Loc::current()) const {
    return read(Value::none, bounds, loc, detail::Counted::tiles, i...);
  }
  /// The same with a value for what lies outside the tensor: a host number or a scalar of T.
  template <class X>
    requires(!detail::is_bounds<X>)
  tile load_or(detail::IndexFor<D>... i, const X& pad, detail::MayPad bounds = {}, Loc loc = Loc::current()) const {
    return read(detail::scalar_of<T>(pad, loc), bounds, loc, detail::Counted::tiles, i...);
  }
  /// The tile whose first element is element i... of the tensor: any integers, also negative.
  tile at_element(detail::IndexFor<D>... i, detail::MayPad bounds = {}, Loc loc = Loc::current()) const {
    return read(Value::none, bounds, loc, detail::Counted::elements, i...);
  }
  template <class X>
  tile at_element_or(detail::IndexFor<D>... i, const X& pad, detail::MayPad bounds = {}, Loc loc = Loc::current()) const {
    return read(detail::scalar_of<T>(pad, loc), bounds, loc, detail::Counted::elements, i...);
  }
  /// The tile where an output's tile is.
  tile operator[](detail::Place<shape> place) const {
    return tile(detail::load_at(view(), tile::type(), place.slot, Value::none, {}, place.loc));
  }
  template <class U, int... E, class X>
  tile load_or(const Slot<U, E...>& slot, const X& pad, detail::MayPad bounds = {}, Loc loc = Loc::current()) const {
    const detail::Place<shape> place(slot, loc);
    const Value value = detail::scalar_of<T>(pad, loc);
    return tile(detail::load_at(view(), tile::type(), place.slot, value, bounds, loc));
  }
  template <class... I>
    requires(detail::count_of_indices<I...> != sizeof...(D))
  tile operator()(const I&...) const {
    TEGULA_CHECK((detail::never<I...>), "tegula: an input takes one tile index per axis",
                 detail::wrong_count("an input", tile::type(), detail::count_of_indices<I...>));
    return tile();
  }
  template <class First, class... I>
    requires(!detail::HasSlot<First> && detail::count_of_indices<I...> != sizeof...(D))
  tile load_or(const First&, const I&...) const {
    TEGULA_CHECK((detail::never<First>), "tegula: load_or takes one tile index per axis, or an output tile, then the pad",
                 detail::wrong_count("load_or", tile::type(), detail::count_of_indices<I...>));
    return tile();
  }
  template <class... I>
    requires(detail::count_of_indices<I...> != sizeof...(D))
  tile at_element(const I&...) const {
    TEGULA_CHECK((detail::never<I...>), "tegula: at_element takes one element offset per axis",
                 detail::wrong_offsets("at_element", tile::type(), detail::count_of_indices<I...>));
    return tile();
  }
  template <class First, class... I>
    requires(detail::count_of_indices<I...> != sizeof...(D))
  tile at_element_or(const First&, const I&...) const {
    TEGULA_CHECK((detail::never<First>), "tegula: at_element_or takes one element offset per axis, then the pad",
                 detail::wrong_offsets("at_element_or", tile::type(), detail::count_of_indices<I...>));
    return tile();
  }

  /// The extent of the tensor along an axis, and how many tiles cover it.
  Int extent(int axis, Loc loc = Loc::current()) const { return query("tile.dim", axis, loc); }
  Int count(int axis, Loc loc = Loc::current()) const { return query("tile.num_tiles", axis, loc); }
  /// All tile indices along an axis. Rows and columns are the last two axes.
  detail::Range tiles(int axis, Loc loc = Loc::current()) const {
    return {Int(0, loc).id(loc), count(axis, loc).id(loc), Int(1, loc).id(loc), loc};
  }
  detail::Range rows(Loc loc = Loc::current()) const { return tiles(detail::row_axis(rank), loc); }
  detail::Range cols(Loc loc = Loc::current()) const { return tiles(detail::col_axis(rank), loc); }

  Value view() const { return view_.value(); }

  template <class X> void store(const X&) const {
    static_assert(detail::never<X>, "tegula: an In is read-only; declare the parameter as Out<T, extents...> to store to it");
  }

private:
  template <class... I> tile read(Value pad, detail::Bounds bounds, Loc loc, detail::Counted counted, I... i) const {
    const Value indices[] = {i.value..., Value::none};
    return tile(detail::load(view(), tile::type(), indices, rank, pad, bounds, loc, counted));
  }
  Int query(const char* op, int axis, Loc loc) const { return Int(detail::emit(op, Int::type(), {view()}, loc, {{"axis", axis}})); }

  detail::InputView view_;
};

namespace detail {
/// A tensor of integers that the host has certified to be below a bound.
template <class T, int... D> class Bounded : public In<T, D...> {
  static_assert(is_integer(dtype<T>()), "tegula: an index tensor has an integer element type");

public:
  using In<T, D...>::In;
  Int bound(Loc loc = Loc::current()) const { return Int(emit("tile.bound", Int::type(), {this->view()}, loc)); }
};
} // namespace detail

/// A tensor of integers, every one of them in [0, bound()): the host has certified it. If they are signed, what lies outside reads
/// as -1, which is no position: gather reads zeros there, scatter and accumulate_at leave it out.
template <class T, int... D> class Index : public detail::Bounded<T, D...> {
public:
  using detail::Bounded<T, D...>::Bounded;
};
/// The same, and no two of them are equal: positions to scatter to.
template <class T, int... D> class DistinctIndex : public Index<T, D...> {
public:
  using Index<T, D...>::Index;
};
/// The same as Index, but inside the tensor, too, any of them may be -1 for none.
template <class T, int... D> class IndexOrNone : public detail::Bounded<T, D...> {
  static_assert(!is_unsigned(detail::dtype<T>()), "tegula: -1 stands for none: the element type of an IndexOrNone is signed");

public:
  using detail::Bounded<T, D...>::Bounded;
};
/// The same, and no two of the others are equal.
template <class T, int... D> class DistinctIndexOrNone : public IndexOrNone<T, D...> {
public:
  using IndexOrNone<T, D...>::IndexOrNone;
};

/// Where segments that follow one another begin and end: segment s is [begin(s), end(s)), the first one begins at 0, and the last
/// one ends at bound(). The host has certified it. A segment may be empty.
template <class T> class Offsets {
  static_assert(std::is_same_v<T, i64> || std::is_same_v<T, i32> || std::is_same_v<T, i16> || std::is_same_v<T, i8>,
                "tegula: offsets have a signed integer element type: i64, i32, i16 or i8");
  using Loc = detail::Loc;
  using Value = detail::Value;

public:
  using element = T;
  static constexpr int rank = 1;

  explicit Offsets(Value view) : view_(view) {}
  Offsets(const Offsets&) = delete;
  Offsets& operator=(const Offsets&) = delete;

  /// How many segments there are: one less than offsets.
  Int segments(Loc loc = Loc::current()) const {
    const Int offsets(detail::emit("tile.dim", Int::type(), {view_.value()}, loc, {{"axis", 0}}));
    return Int(detail::binary(detail::Op::sub, Int::type(), offsets.id(loc), Int(1, loc).id(loc), loc));
  }
  /// Where the last segment ends.
  Int bound(Loc loc = Loc::current()) const { return Int(detail::emit("tile.bound", Int::type(), {view_.value()}, loc)); }
  Int begin(detail::Index segment, detail::MayPad bounds = {}) const { return read(segment.value, bounds, segment.loc); }
  Int end(detail::Index segment, detail::MayPad bounds = {}) const {
    const Value next =
        detail::binary(detail::Op::add, Int::type(), segment.value, Int(1, segment.loc).id(segment.loc), segment.loc);
    return read(next, bounds, segment.loc);
  }
  /// All positions of a segment, for a loop.
  detail::Range positions(detail::Index segment) const {
    const Loc loc = segment.loc;
    return {begin(segment).id(loc), end(segment).id(loc), Int(1, loc).id(loc), loc};
  }
  /// The segment that a position is in; of one before them all the first, of one behind them the last.
  Int find(detail::Index position) const {
    return Int(detail::emit("tile.segment", Int::type(), {position.value, view_.value()}, position.loc));
  }

private:
  Int read(Value at, detail::Bounds bounds, Loc loc) const {
    const Tile<T, 1> offset(detail::load(view_.value(), Tile<T, 1>::type(), &at, 1, Value::none, bounds, loc));
    const Value scalar = detail::emit("tile.reshape", Tile<T>::type(), {offset.id(loc)}, loc);
    return Int(detail::index(scalar, loc));
  }

  detail::InputView view_;
};

/// A sub-tile of an input, its index counted in sub-tiles: load<16, 64>(a, i, j). load_or takes the value for what lies outside
/// behind the index. or_padding or unsafe("why") may come last.
template <int... P, class T, int... D, class... I>
Tile<T, P...> load(const In<T, D...>& in, detail::Index first, const I&... rest) {
  (void)detail::CanSplit<detail::Shape<D...>, detail::Shape<P...>>::value;
  static_assert(sizeof...(P) > 0,
                "tegula: load needs the sub-tile's extents: load<16, 64>(a, i, j); for a whole tile write a(i, j)");
  static_assert(1 + detail::count_of_indices<I...> == sizeof...(D), "tegula: load needs one sub-tile index per axis");
  const detail::Value indices[] = {first.value, detail::index_of(rest, first.loc)...};
  return Tile<T, P...>(detail::load(in.view(), detail::tile_type<T, P...>, indices, sizeof...(D), detail::Value::none,
                                    detail::bounds_of(rest...), first.loc));
}
template <int... P, class T, int... D, class... I>
Tile<T, P...> load_or(const In<T, D...>& in, detail::Index first, const I&... rest) {
  (void)detail::CanSplit<detail::Shape<D...>, detail::Shape<P...>>::value;
  static_assert(
      sizeof...(P) > 0,
      "tegula: load_or needs the sub-tile's extents: load_or<16, 64>(a, i, j, pad); for a whole tile write a.load_or(i, j, pad)");
  constexpr bool complete = detail::count_of_indices<I...> == sizeof...(D);
  static_assert(complete, "tegula: load_or needs one sub-tile index per axis, then the pad");
  if constexpr (complete) {
    constexpr std::size_t pad = sizeof...(D) - 1; // where it is among the rest
    const auto arguments = std::tie(rest...);
    return [&]<std::size_t... N>(std::index_sequence<N...>) {
      const detail::Value indices[] = {first.value, detail::index_of(std::get<N>(arguments), first.loc)...};
      const detail::Value value = detail::scalar_of<T>(std::get<pad>(arguments), first.loc);
      return Tile<T, P...>(
          detail::load(in.view(), detail::tile_type<T, P...>, indices, sizeof...(D), value, detail::bounds_of(rest...), first.loc));
    }(std::make_index_sequence<pad>{});
  } else {
    return Tile<T, P...>();
  }
}

} // namespace tegula
