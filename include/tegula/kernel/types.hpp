// Element types and shapes at compile time: which are legal, and how they broadcast.
#pragma once
#include "tegula/kernel/diagnostics.hpp"

#include <type_traits>
#include <utility>

namespace tegula {

template <class T, int... D> class Tile;

namespace detail {

template <int... D> struct Shape {
  static constexpr int rank = sizeof...(D);
};

template <class T> constexpr DType dtype() {
  if constexpr (dtype_of<T>::known)
    return dtype_of<T>::value;
  else
    return DType::f32; // the mistake is reported by ValidTile
}

template <class T, int... D> constexpr TileType make_type() {
  TileType type{dtype<T>(), 0, {}};
  ((type.rank < max_rank ? void(type.extents[type.rank++] = D) : void()), ...);
  return type;
}
template <class T, int... D> inline constexpr TileType tile_type = make_type<T, D...>();

constexpr Text not_a_power_of_two(const TileType& t) {
  return text("tegula: a tile of ", ShapeOf{t}, ": every extent must be a power of two");
}
constexpr Text too_many_elements(const TileType& t, std::int64_t elements) {
  return text("tegula: a tile of ", ShapeOf{t}, " has ", elements, " elements; at most 1048576 are allowed");
}

/// Instantiated once per tile type, so that a mistake in a type is reported once.
template <class T, int... D> struct ValidTile {
  static constexpr bool powers_of_two = ((D > 0 && (D & (D - 1)) == 0) && ...);
  static constexpr std::int64_t elements = (std::int64_t{1} * ... * D);
  static_assert(dtype_of<T>::known,
                "tegula: not an element type; use f64 f32 f16 bf16 f8e4m3 f8e5m2 f8e8m0 i64 i32 i16 i8 u64 u32 u16 u8 or bool");
  static_assert(sizeof...(D) <= max_rank, "tegula: a tile has at most 6 axes");
  TEGULA_CHECK(powers_of_two, "tegula: every extent of a tile must be a power of two", not_a_power_of_two(tile_type<T, D...>));
  TEGULA_CHECK(!powers_of_two || elements <= max_elements, "tegula: a tile has at most 1048576 elements",
               too_many_elements(tile_type<T, D...>, elements));
  static constexpr bool value = true;
};

template <class X> inline constexpr bool is_tile = false;
template <class T, int... D> inline constexpr bool is_tile<Tile<T, D...>> = true;

template <class T, class S> struct TileOf;
template <class T, int... D> struct TileOf<T, Shape<D...>> {
  using type = Tile<T, D...>;
};
template <class T, class S> using tile_of = typename TileOf<T, S>::type;

template <class X> inline constexpr bool is_narrow = false;
template <Format F, class B> inline constexpr bool is_narrow<Narrow<F, B>> = true;

/// A number of the host, accepted wherever a tile of known element type is.
template <class H>
concept HostNumber = std::is_arithmetic_v<H> || is_narrow<H> || (std::is_enum_v<H> && std::is_convertible_v<H, std::int64_t>);
template <class H>
concept HostInteger = HostNumber<H> && !std::is_floating_point_v<H> && !is_narrow<H> && !std::is_same_v<H, bool>;

/// Refuses a fraction for an integer tile, a bool for numbers, and numbers for a bool tile.
template <class T, class H> constexpr bool check_number() {
  constexpr bool fraction = std::is_floating_point_v<H> || is_narrow<H>;
  static_assert(
      !(fraction && is_integer(dtype<T>())),
      "tegula: a fractional host number with an integer tile; cast the tile to a float type, or the number to an integer");
  static_assert(std::is_same_v<T, bool> || !std::is_same_v<H, bool>, "tegula: a host bool where a number is needed; write 0 or 1");
  static_assert(!std::is_same_v<T, bool> || std::is_same_v<H, bool>,
                "tegula: a host number where a bool is needed; write true or false");
  return true;
}

/// Records a host number as a scalar or tile of type T.
template <class T, class H> Value number(const TileType& type, H h, Loc loc) {
  check_number<T, H>();
  if constexpr (is_float(dtype<T>()))
    return constant(type, static_cast<double>(h), loc);
  else if constexpr (std::is_unsigned_v<H>)
    return constant(type, static_cast<std::uint64_t>(h), loc);
  else
    return constant(type, static_cast<std::int64_t>(h), loc);
}

/// Indices are i64: where one meets a shorter signed integer, that is widened, which loses nothing. No other element types mix.
template <class T, class U> inline constexpr bool is_wider =
    std::is_same_v<T, i64> && std::is_signed_v<U> && std::is_integral_v<U> && sizeof(U) < sizeof(T);
/// What two element types are computed in; the first where they do not mix.
template <class T, class U> using Mixed = std::conditional_t<is_wider<U, T>, U, T>;
template <class T, class U> inline constexpr bool mixes = std::is_same_v<T, U> || is_wider<T, U> || is_wider<U, T>;

/// A tile's value in the element type T, which it has or widens to.
template <class T, class X> Value widened_id(const X& x, Loc loc) {
  const Value value = x.id(loc);
  if constexpr (std::is_same_v<T, typename X::element>)
    return value;
  else
    return cast(tile_of<T, typename X::shape>::type(), value, Rounding::nearest_even, false, loc);
}

// NumPy's broadcasting: shapes are aligned at the right; extents must be equal or 1.
struct Extents {
  int rank = 0;
  int extents[max_rank]{};
  int clash = -1; // the axis where the shapes do not fit
};

constexpr Extents broadcast_extents(const TileType& a, const TileType& b) {
  Extents r;
  r.rank = a.rank > b.rank ? a.rank : b.rank;
  for (int i = 1; i <= r.rank; ++i) {
    const int x = i <= a.rank ? a.extents[a.rank - i] : 1, y = i <= b.rank ? b.extents[b.rank - i] : 1;
    if (x != y && x != 1 && y != 1)
      r.clash = r.rank - i;
    r.extents[r.rank - i] = x == 1 ? y : x;
  }
  return r;
}

template <class A, class B> struct BroadcastImpl;
template <int... A, int... B> struct BroadcastImpl<Shape<A...>, Shape<B...>> {
  static constexpr Extents result = broadcast_extents(tile_type<f32, A...>, tile_type<f32, B...>);
  static constexpr bool fits = result.clash < 0;
  template <class> struct Make;
  template <std::size_t... I> struct Make<std::index_sequence<I...>> {
    using type = Shape<result.extents[I]...>;
  };
  using type =
      typename std::conditional_t<fits, Make<std::make_index_sequence<result.rank>>, std::type_identity<Shape<A...>>>::type;
};
template <class A, class B> struct Broadcast : BroadcastImpl<A, B> {};
template <class A> struct Broadcast<A, A> {
  static constexpr bool fits = true;
  using type = A;
};

constexpr Text shapes_differ(const TileType& a, const char* operation, const TileType& b) {
  const Extents r = broadcast_extents(a, b);
  if (r.clash < 0)
    return {};
  const int i = r.clash, x = a.extents[i - (r.rank - a.rank)], y = b.extents[i - (r.rank - b.rank)];
  return text("tegula: ", a, " ", operation, " ", b, ": the shapes do not broadcast: axis ", i, " is ", x, " and ", y,
              "; extents must be equal or 1");
}
constexpr Text dtypes_differ(const TileType& a, const char* operation, const TileType& b) {
  return text("tegula: ", a, " ", operation, " ", b, ": the element types differ; write cast<", name(a.dtype), ">(...) or cast<",
              name(b.dtype), ">(...) on one side");
}

// Where the language asks for an axis.
template <int Axis, int Rank> constexpr bool check_axis() {
  TEGULA_CHECK(Axis >= 0 && Axis < Rank, "tegula: the axis is out of range for this tile's rank",
               text("tegula: axis ", Axis, " of a tile of rank ", Rank, ": axes count from 0 to rank - 1"));
  return Axis >= 0 && Axis < Rank;
}

/// The shape with one extent replaced.
template <int Axis, int Extent, class S> struct WithExtent;
template <int Axis, int Extent, int... D> struct WithExtent<Axis, Extent, Shape<D...>> {
  template <class> struct Make;
  template <std::size_t... I> struct Make<std::index_sequence<I...>> {
    using type = Shape<(static_cast<int>(I) == Axis ? Extent : D)...>;
  };
  using type = typename Make<std::make_index_sequence<sizeof...(D)>>::type;
};
template <int Axis, int Extent, class S> using with_extent = typename WithExtent<Axis, Extent, S>::type;

} // namespace detail
} // namespace tegula
