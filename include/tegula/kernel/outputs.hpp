// What a kernel writes by the tile: Out, InOut and OutIndex, of which a program has one piece; OutTiles and Patch, of which it
// claims tiles.
#pragma once
#include "tegula/kernel/access.hpp"
#include "tegula/kernel/slot.hpp"

namespace tegula {

/// The one tile of the output that this program writes.
template <class T, int... D> class Out : public Slot<T, D...> {
public:
  explicit Out(detail::Value view) : Slot<T, D...>(detail::output_slot(view)) {}
  /// How many tiles cover the tensor along an axis.
  Int count(int axis, detail::Loc loc = detail::Loc::current()) const {
    return Int(detail::emit("tile.num_tiles", Int::type(), {detail::slot_view(this->slot_id())}, loc, {{"axis", axis}}));
  }
};

/// The one tile of a tensor that this program reads and then writes.
template <class T, int... D> class InOut : public Out<T, D...> {
public:
  using Out<T, D...>::Out;
  /// The tile as it is now: after store(), what was stored.
  Tile<T, D...> load(detail::Loc loc = detail::Loc::current()) const {
    const detail::Value view = detail::slot_view(this->slot_id());
    return Tile<T, D...>(detail::load_at(view, detail::tile_type<T, D...>, this->slot_id(), detail::Value::none, {}, loc));
  }
};

/// The one tile of an index tensor that this program writes. Every value is in [0, bound()), which is at least 1: what the launch
/// returns is certified.
template <class T, int... D> class OutIndex : public Out<T, D...> {
  static_assert(std::is_same_v<T, i64> || std::is_same_v<T, i32> || std::is_same_v<T, i16> || std::is_same_v<T, i8>,
                "tegula: an index tensor has a signed integer element type: i64, i32, i16 or i8");

public:
  using Out<T, D...>::Out;
  Int bound(detail::Loc loc = detail::Loc::current()) const {
    return Int(detail::emit("tile.bound", Int::type(), {detail::slot_view(this->slot_id())}, loc));
  }
};

/// The order of my_tiles() that goes through a number of rows of tiles together, column by column, so that programs that run at one
/// time share what they read.
struct Grouped {
  int rows;
};
constexpr Grouped grouped(int rows) { return {rows}; }

namespace detail {
/// A tensor of which each program writes the tiles that it claims.
template <class T, int... D> class Claimed {
  static_assert(ValidTile<T, D...>::value);

public:
  using element = T;
  using shape = Shape<D...>;
  static constexpr int rank = sizeof...(D);

  explicit Claimed(Value view) : id_(output_slot(view)) {}
  Claimed(const Claimed&) = delete;
  Claimed& operator=(const Claimed&) = delete;

  /// The tile with the tile index i..., which no other program may write: c.tile(i, j).store(...).
  [[nodiscard]] Slot<T, D...> tile(IndexFor<D>... i, NoPad bounds = {}, Loc loc = Loc::current()) const {
    const Value indices[] = {i.value..., Value::none};
    return Slot<T, D...>(claim(id_, indices, bounds, loc));
  }
  template <class... I>
    requires(count_of_indices<I...> != sizeof...(D))
  Slot<T, D...> tile(const I&...) const {
    TEGULA_CHECK((never<I...>), "tegula: tile takes one tile index per axis",
                 wrong_count("an output", tile_type<T, D...>, count_of_indices<I...>));
    return Slot<T, D...>(id_);
  }
  Int extent(int axis, Loc loc = Loc::current()) const { return query("tile.dim", axis, loc); }
  Int count(int axis, Loc loc = Loc::current()) const { return query("tile.num_tiles", axis, loc); }
  /// How many tiles there are in all.
  Int count(Loc loc = Loc::current()) const { return Int(tile_count(id_, loc)); }

  SlotId output() const { return id_; }

private:
  Int query(const char* op, int axis, Loc loc) const { return Int(emit(op, Int::type(), {slot_view(id_)}, loc, {{"axis", axis}})); }

  SlotId id_;
};
} // namespace detail

/// An output of which each program writes several tiles, or slices at positions; together they cover it.
template <class T, int... D> class OutTiles : public detail::Claimed<T, D...> {
  using Loc = detail::Loc;

public:
  using detail::Claimed<T, D...>::Claimed;

  /// for (auto t : c.my_tiles()) t.store(...)
  detail::MyTiles<T, D...> my_tiles(Loc loc = Loc::current()) const { return {this->output(), 0, loc}; }
  /// The same tiles, in another order.
  detail::MyTiles<T, D...> my_tiles(Grouped order, Loc loc = Loc::current()) const {
    static_assert(sizeof...(D) == 2, "tegula: grouped(...) orders the tiles of an output of rank 2");
    detail::check_group(order.rows, loc);
    return {this->output(), order.rows, loc};
  }

  template <class X> void store(const X&) const {
    static_assert(detail::never<X>, "tegula: an OutTiles has several tiles; write for (auto t : c.my_tiles()) t.store(...)");
  }
};

/// A tensor with values, some of which are overwritten.
template <class T, int... D> class Patch : public detail::Claimed<T, D...> {
public:
  using detail::Claimed<T, D...>::Claimed;

  template <class X> void store(const X&) const {
    static_assert(detail::never<X>, "tegula: a Patch has several tiles; write p.tile(i, j).store(...)");
  }
};

} // namespace tegula
