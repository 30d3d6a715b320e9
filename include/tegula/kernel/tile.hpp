// Tile<T, D...>: a traced variable that holds a tile of elements T with the extents D. Tile<T>, or Scalar<T>, holds one element.
#pragma once
#include "tegula/kernel/elsewhere.hpp"
#include "tegula/kernel/operators.hpp"

namespace tegula {

namespace detail {
template <class To, class From> constexpr Text not_assignable() {
  return text("tegula: a ", From::type(), " value for a ", To::type(),
              " tile: shape and element type must be the same (cast<T>, broadcast<...>, reshape<...>)");
}
} // namespace detail

template <class T, int... D>
class [[nodiscard]] Tile : public detail::Variable, public detail::OperatorsOf<T, Tile<T, D...>>, public detail::Elsewhere {
  static_assert(detail::ValidTile<T, D...>::value);

public:
  using element = T;
  using shape = detail::Shape<D...>;
  static constexpr int rank = sizeof...(D);
  static constexpr const detail::TileType& type() { return detail::tile_type<T, D...>; }

  /// Declared without a value: it must be assigned before it is read.
  Tile() = default;
  explicit Tile(detail::Value v) : Variable(v) {}
  Tile(const Tile&) = default;
  Tile& operator=(const Tile&) = default;

  /// A host number is a scalar.
  template <detail::HostNumber H> Tile(H number, detail::Loc loc = detail::Loc::current())
      : Variable(detail::number<T>(type(), number, loc)) {
    TEGULA_CHECK(rank == 0, "tegula: a host number where a tile is needed; write full<T, extents...>(number)",
                 detail::text("tegula: a host number where a ", type(), " tile is needed; write full<T, extents...>(number)"));
  }
  /// An i64 takes a shorter signed integer.
  template <class U>
    requires(detail::is_wider<T, U>)
  Tile(const Tile<U, D...>& shorter, detail::Loc loc = detail::Loc::current()) : Variable(detail::widened_id<T>(shorter, loc)) {}
  template <class U, int... E> Tile(const Tile<U, E...>& other) : Variable(other) {
    TEGULA_CHECK((detail::never<U>),
                 "tegula: the value has another shape or element type than the tile; use cast, broadcast or reshape",
                 (detail::not_assignable<Tile, Tile<U, E...>>()));
  }

  __attribute__((unavailable("tegula: a traced value has no truth value on the host; use if_(condition, [&]{...}, [&]{...}), "
                             "select(condition, a, b) or loop_while"))) explicit
  operator bool() const;

#define TEGULA_COMPOUND(SIGN, OP)                                                                                                  \
  Tile& operator SIGN(detail::Operand<OP, Tile> b) {                                                                               \
    detail::check_legal<OP, Tile>();                                                                                               \
    return *this = Tile(detail::binary(OP, type(), this->id(b.loc), b.value, b.loc));                                              \
  }
  TEGULA_COMPOUND(+=, detail::Op::add)
  TEGULA_COMPOUND(-=, detail::Op::sub)
  TEGULA_COMPOUND(*=, detail::Op::mul)
  TEGULA_COMPOUND(/=, detail::Op::div)
  TEGULA_COMPOUND(%=, detail::Op::rem)
  TEGULA_COMPOUND(&=, detail::Op::bit_and)
  TEGULA_COMPOUND(|=, detail::Op::bit_or)
  TEGULA_COMPOUND(^=, detail::Op::bit_xor)
  TEGULA_COMPOUND(<<=, detail::Op::shl)
  TEGULA_COMPOUND(>>=, detail::Op::shr)
#undef TEGULA_COMPOUND
};

template <class T> using Scalar = Tile<T>;
/// Loop variables, extents and tile indices.
using Int = Tile<i64>;

namespace detail {
/// An argument that counts: a host integer or an integer scalar, and the place in the user's source.
struct Index {
  Value value;
  Loc loc;
  template <class I> Index(const I& i, Loc l = Loc::current()) : value(convert(i, l)), loc(l) {}

private:
  template <class I> static Value convert(const I& i, Loc loc) {
    if constexpr (HostInteger<I>) {
      return number<i64>(Int::type(), i, loc);
    } else if constexpr (is_tile<I>) {
      static_assert(I::rank == 0, "tegula: an index must be a scalar, not a tile");
      static_assert(is_integer(dtype<typename I::element>()), "tegula: an index must be an integer; write cast<i64>(...)");
      return index(i.id(loc), loc);
    } else {
      static_assert(never<I>, "tegula: an index must be a host integer or an integer scalar");
      return Value::none;
    }
  }
};
template <int> using IndexFor = Index;

template <class T, class X> inline constexpr bool is_shorter_scalar = false;
template <class T, class U> inline constexpr bool is_shorter_scalar<T, Tile<U>> = is_wider<T, U>;
/// A value for elements of type T: a host number or a scalar of that type, or one that is widened to it.
template <class T, class X> Value scalar_of(const X& x, Loc loc) {
  if constexpr (HostNumber<X>) {
    return number<T>(tile_type<T>, x, loc);
  } else if constexpr (std::is_same_v<X, Tile<T>>) {
    return x.id(loc);
  } else if constexpr (is_shorter_scalar<T, X>) {
    return widened_id<T>(x, loc);
  } else {
    static_assert(never<X>, "tegula: a host number or a scalar of the tile's element type is needed here");
    return Value::none;
  }
}
} // namespace detail

// A bit operator on a tile that has none.
#define TEGULA_NO_BITS(SIGN)                                                                                                       \
  template <class T, int... D, class U>                                                                                            \
    requires(is_float(detail::dtype<T>()))                                                                                         \
  Tile<T, D...> operator SIGN(const Tile<T, D...>& a, const U&) {                                                                  \
    static_assert(detail::never<U>, "tegula: bit operators need integer tiles; use bitcast<u32>(...) or cast");                    \
    return a;                                                                                                                      \
  }
TEGULA_NO_BITS(&)
TEGULA_NO_BITS(|)
TEGULA_NO_BITS(^)
TEGULA_NO_BITS(<<)
TEGULA_NO_BITS(>>)
#undef TEGULA_NO_BITS

} // namespace tegula
