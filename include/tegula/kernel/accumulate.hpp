// Outputs that every program may combine into, atomically and in any order, and that nobody reads in the same launch.
#pragma once
#include "tegula/kernel/access.hpp"
#include "tegula/kernel/slot.hpp"
#include "tegula/kinds.hpp"

namespace tegula {

namespace detail {
/// What processors can combine atomically.
constexpr bool can_accumulate(ParameterKind k, DType t) {
  const bool wide = is_integer(t) && size_of(t) >= 4;
  return wide || (k == ParameterKind::add_into && is_arithmetic_float(t));
}

template <class T, int... D> class Accumulates {
  static_assert(ValidTile<T, D...>::value);

public:
  using element = T;
  using shape = Shape<D...>;
  static constexpr int rank = sizeof...(D);

  explicit Accumulates(Value view) : id_(output_slot(view)) {}
  Accumulates(const Accumulates&) = delete;
  Accumulates& operator=(const Accumulates&) = delete;

  /// Combines a tile into the one with the tile index i...
  template <class X> void accumulate(const X& x, IndexFor<D>... i, MayPad bounds = {}, Loc loc = Loc::current()) const {
    const Value value = written<Tile<T, D...>>(x, loc), indices[] = {i.value..., Value::none};
    detail::accumulate(id_, value, indices, bounds, loc);
  }
  template <class X, class... I>
    requires(count_of_indices<I...> != sizeof...(D))
  void accumulate(const X&, const I&...) const {
    TEGULA_CHECK((never<X>), "tegula: accumulate takes the tile, then one tile index per axis",
                 wrong_count("an output", tile_type<T, D...>, count_of_indices<I...>));
  }

  /// The extent of the tensor along an axis, and how many tiles cover it.
  Int extent(int axis, Loc loc = Loc::current()) const { return query("tile.dim", axis, loc); }
  Int count(int axis, Loc loc = Loc::current()) const { return query("tile.num_tiles", axis, loc); }

  template <class... X> Tile<T, D...> operator()(const X&...) const { return cannot_be_read<X...>(); }
  template <class X> Tile<T, D...> operator[](const X&) const { return cannot_be_read<X>(); }
  template <class... X> Tile<T, D...> load(const X&...) const { return cannot_be_read<X...>(); }
  template <class... X> Tile<T, D...> load_or(const X&...) const { return cannot_be_read<X...>(); }
  template <class... X> static Tile<T, D...> cannot_be_read() {
    static_assert(never<X...>, "tegula: an accumulate-only output cannot be read in the launch that writes it");
    return Tile<T, D...>();
  }
  template <class X> void store(const X&) const {
    static_assert(never<X>, "tegula: an accumulate-only output is not stored to; write c.accumulate(x, i, j)");
  }

  SlotId output() const { return id_; }

private:
  Int query(const char* op, int axis, Loc loc) const { return Int(emit(op, Int::type(), {slot_view(id_)}, loc, {{"axis", axis}})); }
  SlotId id_;
};

template <ParameterKind K, class T, int... D> class Into : public Accumulates<T, D...> {
  static_assert(K != ParameterKind::add_into || can_accumulate(K, dtype<T>()),
                "tegula: AddInto accumulates f64, f32, f16, bf16, i32, u32, i64 and u64");
  static_assert(K == ParameterKind::add_into || can_accumulate(K, dtype<T>()),
                "tegula: MinInto, MaxInto, AndInto and OrInto accumulate i32, u32, i64 and u64");

public:
  using Accumulates<T, D...>::Accumulates;
};
} // namespace detail

template <class T, int... D> using AddInto = detail::Into<ParameterKind::add_into, T, D...>;
template <class T, int... D> using MinInto = detail::Into<ParameterKind::min_into, T, D...>;
template <class T, int... D> using MaxInto = detail::Into<ParameterKind::max_into, T, D...>;
template <class T, int... D> using AndInto = detail::Into<ParameterKind::and_into, T, D...>;
template <class T, int... D> using OrInto = detail::Into<ParameterKind::or_into, T, D...>;

template <int... P, ParameterKind K, class T, int... D, class... I>
Tile<T, P...> load(const detail::Into<K, T, D...>& into, const I&...) {
  into.template cannot_be_read<T>();
  return Tile<T, P...>();
}

} // namespace tegula
