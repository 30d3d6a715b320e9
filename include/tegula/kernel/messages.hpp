// print and require: words from inside a kernel.
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

namespace detail {
/// A literal and the place in the user's source.
struct Words {
  const char* text;
  Loc loc;
  Words(const char* t, Loc l = Loc::current()) : text(t), loc(l) {}
};
} // namespace detail

/// Shows a text and tiles on the host.
template <class... X> void print(detail::Words words, const X&... values) {
  static_assert((detail::is_tile<X> && ...), "tegula: print shows tiles; put host values into the text, or pass Scalar<T>(value)");
  if constexpr ((detail::is_tile<X> && ...))
    detail::effect("tile.print", {values.id(words.loc)...}, words.loc, {{"text", words.text}});
}

/// Fails the launch, with the user's line, the text and the values, where any element of the condition is false.
template <int... D, class... X> void require(const Tile<bool, D...>& condition, detail::Words words, const X&... values) {
  static_assert((detail::is_tile<X> && ...),
                "tegula: require shows tiles; put host values into the text, or pass Scalar<T>(value)");
  if constexpr ((detail::is_tile<X> && ...))
    detail::effect("tile.assert", {condition.id(words.loc), values.id(words.loc)...}, words.loc, {{"text", words.text}});
}
template <class C, class... X> void require(const C&, detail::Words, const X&...)
  requires(!detail::is_tile<C> || !std::is_same_v<typename C::element, bool>)
{
  static_assert(detail::never<C>,
                "tegula: the condition of require must be a tile of bool; for host values use static_assert or if");
}

} // namespace tegula
