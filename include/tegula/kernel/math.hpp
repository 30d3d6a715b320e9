// Functions of elements: of one tile, of two, of three; select.
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

namespace detail {
template <class T, int... D> constexpr void check_float() {
  TEGULA_CHECK(is_arithmetic_float(dtype<T>()), "tegula: the function needs a tile of f64, f32, f16 or bf16; cast first",
               text("tegula: the function needs a tile of f64, f32, f16 or bf16, not ", tile_type<T, D...>, "; cast first"));
}

/// The tile type of several operands: the element type of those that are tiles, and the shape they broadcast to.
template <class S, class... X> struct CommonShape {
  using type = S;
};
template <class S, class X, class... Rest> struct CommonShape<S, X, Rest...> : CommonShape<S, Rest...> {};
template <class S, class X, class... Rest>
  requires is_tile<X>
struct CommonShape<S, X, Rest...> : CommonShape<typename Broadcast<S, typename X::shape>::type, Rest...> {
  TEGULA_CHECK((Broadcast<S, typename X::shape>::fits), "tegula: the shapes do not broadcast: extents must be equal or 1",
               shapes_differ(tile_of<typename X::element, S>::type(), "with", X::type()));
};
template <class... X> struct CommonElement {
  static_assert(never<X...>, "tegula: at least one operand must be a tile");
  using type = f32;
};
template <class X, class... Rest> struct CommonElement<X, Rest...> : CommonElement<Rest...> {};
template <class X, class... Rest>
  requires(is_tile<X> && !(is_tile<Rest> || ...))
struct CommonElement<X, Rest...> {
  using type = typename X::element;
};
template <class X, class... Rest>
  requires(is_tile<X> && (is_tile<Rest> || ...))
struct CommonElement<X, Rest...> {
  using type = Mixed<typename X::element, typename CommonElement<Rest...>::type>;
};

/// An operand of an operation whose result is R: a number, or a tile that the recorder will broadcast.
template <class R, class X> Value operand(const X& x, Loc loc) {
  using T = typename R::element;
  if constexpr (is_tile<X>) {
    constexpr bool same = std::is_same_v<T, typename X::element> || is_wider<T, typename X::element>;
    TEGULA_CHECK(same, "tegula: the element types differ; write cast<T>(...) on one side",
                 dtypes_differ(tile_type<T>, "with", X::type()));
    if constexpr (same)
      return widened_id<T>(x, loc);
    else
      return Value::none;
  } else if constexpr (HostNumber<X>) {
    return number<T>(R::type(), x, loc);
  } else {
    static_assert(never<X>, "tegula: the operand is neither a tile nor a host number (load a tile from a parameter first)");
    return Value::none;
  }
}

template <Op O, class A, class B> auto two(const A& a, const B& b, Loc loc) {
  if constexpr (is_tile<A>) {
    return apply<O>(a, b, loc);
  } else if constexpr (is_tile<B> && HostNumber<A>) {
    return apply_number<O, true>(b, a, loc);
  } else {
    static_assert(never<A>, "tegula: at least one operand must be a tile, and the other a tile or a host number");
    return Tile<f32>();
  }
}
} // namespace detail

#define TEGULA_OF_FLOAT(NAME, ...)                                                                                                 \
  template <class T, int... D> Tile<T, D...> NAME(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {              \
    detail::check_float<T, D...>();                                                                                                \
    return Tile<T, D...>(detail::elementwise(__VA_ARGS__));                                                                        \
  }
#define TEGULA_FUNCTION(NAME)                                                                                                      \
  TEGULA_OF_FLOAT(NAME, "tile.function", x.type(), {x.id(loc)}, loc, {{"function", static_cast<int>(detail::Function::NAME)}})
#include "tegula/functions.def"
TEGULA_OF_FLOAT(floor, "tile.floor", x.type(), {x.id(loc)}, loc)
TEGULA_OF_FLOAT(ceil, "tile.ceil", x.type(), {x.id(loc)}, loc)
TEGULA_OF_FLOAT(round, "tile.round", x.type(), {x.id(loc)}, loc)
TEGULA_OF_FLOAT(trunc, "tile.trunc", x.type(), {x.id(loc)}, loc)
#undef TEGULA_OF_FLOAT

template <class T, int... D> Tile<T, D...> abs(const Tile<T, D...>& x, detail::Loc loc = detail::Loc::current()) {
  static_assert(is_number(detail::dtype<T>()), "tegula: abs of an fp8 or bool tile; write cast<f32>(...) first");
  return Tile<T, D...>(detail::elementwise("tile.abs", x.type(), {x.id(loc)}, loc));
}

template <class A, class B> auto maximum(const A& a, const B& b, detail::Loc loc = detail::Loc::current()) {
  return detail::two<detail::Op::max>(a, b, loc);
}
template <class A, class B> auto minimum(const A& a, const B& b, detail::Loc loc = detail::Loc::current()) {
  return detail::two<detail::Op::min>(a, b, loc);
}
template <class A, class B> auto pow(const A& base, const B& exponent, detail::Loc loc = detail::Loc::current())
  requires(detail::is_tile<A> || detail::is_tile<B>)
{
  return detail::two<detail::Op::pow>(base, exponent, loc);
}
/// The angle of the point (x, y).
template <class Y, class X> auto atan2(const Y& y, const X& x, detail::Loc loc = detail::Loc::current())
  requires(detail::is_tile<Y> || detail::is_tile<X>)
{
  return detail::two<detail::Op::atan2>(y, x, loc);
}

template <class X, class Lo, class Hi> auto clamp(const X& x, const Lo& lo, const Hi& hi, detail::Loc loc = detail::Loc::current())
  requires(detail::is_tile<X>)
{
  return minimum(maximum(x, lo, loc), hi, loc);
}

/// a * b + c, rounded once.
template <class A, class B, class C> auto fma(const A& a, const B& b, const C& c, detail::Loc loc = detail::Loc::current())
  requires(detail::is_tile<A> || detail::is_tile<B> || detail::is_tile<C>)
{
  using T = typename detail::CommonElement<A, B, C>::type;
  using Result = detail::tile_of<T, typename detail::CommonShape<detail::Shape<>, A, B, C>::type>;
  detail::check_float<T>();
  return Result(detail::elementwise(
      "tile.fma", Result::type(),
      {detail::operand<Result>(a, loc), detail::operand<Result>(b, loc), detail::operand<Result>(c, loc)}, loc));
}

/// a where the condition holds, b elsewhere. Both are computed.
template <int... C, class A, class B>
auto select(const Tile<bool, C...>& condition, const A& a, const B& b, detail::Loc loc = detail::Loc::current()) {
  using T = typename detail::CommonElement<A, B>::type;
  using Result = detail::tile_of<T, typename detail::CommonShape<detail::Shape<C...>, A, B>::type>;
  return Result(detail::elementwise("tile.select", Result::type(),
                                    {condition.id(loc), detail::operand<Result>(a, loc), detail::operand<Result>(b, loc)}, loc));
}
template <class C, class A, class B> auto select(const C&, const A& a, const B&)
  requires(!detail::is_tile<C> || !std::is_same_v<typename C::element, bool>)
{
  static_assert(detail::never<C>, "tegula: the condition of select must be a tile of bool; compare first, or use a host if");
  return a;
}

} // namespace tegula
