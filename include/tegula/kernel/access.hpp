// What an access may say about its bounds, or_padding or unsafe("why"), and the checks of its arguments.
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

namespace detail {
struct OrPadding {};
struct Unsafe {
  const char* reason;
};
} // namespace detail

/// The last argument of an access: its tile may lie outside the tensor altogether.
inline constexpr detail::OrPadding or_padding;

/// The last argument of an access: nothing is proved about it, for the reason that the author gives.
template <std::size_t N> consteval detail::Unsafe unsafe(const char (&reason)[N]) {
  static_assert(N > 1, "tegula: unsafe needs a reason: why is the access right?");
  return {reason};
}
template <class X>
  requires(!std::is_array_v<X>)
detail::Unsafe unsafe(const X&) {
  static_assert(detail::never<X>, "tegula: the reason of unsafe is a literal: unsafe(\"why the access is right\")");
  return {""};
}

namespace detail {

/// Of an access that may lie outside if it says so.
struct MayPad : Bounds {
  constexpr MayPad() = default;
  constexpr MayPad(OrPadding) : Bounds{true, nullptr} {}
  constexpr MayPad(Unsafe u) : Bounds{false, u.reason} {}
};
/// Of one that writes what the program owns.
struct NoPad : Bounds {
  constexpr NoPad() = default;
  constexpr NoPad(Unsafe u) : Bounds{false, u.reason} {}
  template <class X>
    requires std::is_same_v<X, OrPadding>
  constexpr NoPad(X) {
    static_assert(never<X>, "tegula: or_padding is for reading and accumulating; a tile that is written must touch the tensor");
  }
};

template <class X> inline constexpr bool is_bounds = std::is_same_v<X, OrPadding> || std::is_same_v<X, Unsafe>;
/// How many of an access's arguments are indices.
template <class... X> inline constexpr int count_of_indices = (0 + ... + (is_bounds<X> ? 0 : 1));

template <class X> Value index_of(const X& x, Loc loc) {
  if constexpr (is_bounds<X>)
    return Value::none;
  else
    return Index(x, loc).value;
}
template <class... X> constexpr bool bounds_come_last() {
  constexpr bool found[] = {is_bounds<X>..., false};
  for (std::size_t i = 0; i + 1 < sizeof...(X); ++i)
    if (found[i])
      return false;
  return true;
}
/// The bounds among trailing arguments.
template <class B = MayPad, class... X> B bounds_of(const X&... arguments) {
  static_assert(bounds_come_last<X...>(), "tegula: or_padding and unsafe(...) come last");
  B bounds;
  const auto take = [&bounds]<class Y>(const Y& y) {
    if constexpr (is_bounds<Y>)
      bounds = y;
  };
  (take(arguments), ...);
  return bounds;
}

constexpr Text wrong_count(const char* name, const TileType& type, int count) {
  return text("tegula: ", name, " with tiles of ", type, " takes ", type.rank, " tile indices, not ", count);
}
constexpr Text wrong_offsets(const char* name, const TileType& type, int count) {
  return text("tegula: ", name, " on tiles of ", type, " takes ", type.rank, " element offsets, one for each axis, not ", count);
}
constexpr Text wrong_value(const TileType& wanted, const TileType& value) {
  return text("tegula: a ", value, " value for an output tile of ", wanted,
              wanted.dtype != value.dtype ? ": the element types differ; write cast<T>(...)" : ": the shapes differ");
}

/// What is written to a tile of type Want.
template <class Want, class X> Value written(const X& x, Loc loc) {
  if constexpr (HostNumber<X> && Want::rank == 0) {
    return number<typename Want::element>(Want::type(), x, loc);
  } else if constexpr (!is_tile<X>) {
    static_assert(never<X>, "tegula: a tile is needed here; for a host number write full<T, extents...>(number)");
  } else {
    constexpr bool same = std::is_same_v<X, Want>;
    TEGULA_CHECK(same, "tegula: the value's shape or element type is not that of the output tile; use cast<T>(...) or broadcast",
                 wrong_value(Want::type(), X::type()));
    if constexpr (same)
      return x.id(loc);
  }
  return Value::none;
}

} // namespace detail
} // namespace tegula
