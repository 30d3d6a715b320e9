// Names that other languages have and this one has not: each says what to write instead. They are found only where a tile is
// passed, and every other function that fits the call is a better match: none stands in the way of a function, kernel or variable
// of the user's.
#pragma once
#include "tegula/kernel/types.hpp"

namespace tegula {

namespace detail {

/// Whatever a call passes, by a conversion of its own.
struct Anything {
  Anything() = default;
  template <class X> Anything(const X&) {}
};
template <auto...> inline constexpr bool nowhere = false;
enum class Unnamed : std::uint8_t {}; // so that no call names a template argument that fits

#define TEGULA_ELSEWHERE(NAME, INSTEAD)                                                                                            \
  template <Unnamed E = {}> friend Anything NAME(Anything, Anything = {}, Anything = {}, Anything = {}, Anything = {}) {           \
    static_assert(nowhere<E>, "tegula: there is no " #NAME "(); write " INSTEAD);                                                  \
    return {};                                                                                                                     \
  }
/// Also called with an element type, as in zeros_like<f32>(x).
#define TEGULA_ELSEWHERE_LIKE(NAME, INSTEAD)                                                                                       \
  TEGULA_ELSEWHERE(NAME, INSTEAD)                                                                                                  \
  template <class T> friend Anything NAME(Anything, Anything = {}) {                                                               \
    static_assert(never<T>, "tegula: there is no " #NAME "(); write " INSTEAD);                                                    \
    return {};                                                                                                                     \
  }
#define TEGULA_AXIS_MISSING(NAME, MORE)                                                                                            \
  template <auto... E> friend Anything NAME(Anything, Anything = {}, Anything = {}) {                                              \
    static_assert(nowhere<E...>, "tegula: " #NAME "() works along an axis; write " #NAME "<Axis>(x)" MORE);                        \
    return {};                                                                                                                     \
  }

/// A base of every tile.
struct Elsewhere {
  // Choosing and comparing.
  TEGULA_ELSEWHERE(where, "select(condition, a, b)")
  TEGULA_ELSEWHERE(fmax, "maximum(a, b)")
  TEGULA_ELSEWHERE(fmin, "minimum(a, b)")
  TEGULA_ELSEWHERE(fmaxf, "maximum(a, b)")
  TEGULA_ELSEWHERE(fminf, "minimum(a, b)")
  TEGULA_ELSEWHERE(clip, "clamp(x, low, high)")
  TEGULA_ELSEWHERE(relu, "maximum(x, 0)")

  // Functions of elements.
  TEGULA_ELSEWHERE(arcsin, "asin(x)")
  TEGULA_ELSEWHERE(arccos, "acos(x)")
  TEGULA_ELSEWHERE(arctan, "atan(x)")
  TEGULA_ELSEWHERE(arctan2, "atan2(y, x)")
  TEGULA_ELSEWHERE(arcsinh, "asinh(x)")
  TEGULA_ELSEWHERE(arccosh, "acosh(x)")
  TEGULA_ELSEWHERE(arctanh, "atanh(x)")
  TEGULA_ELSEWHERE(fabs, "abs(x)")
  TEGULA_ELSEWHERE(fabsf, "abs(x)")
  TEGULA_ELSEWHERE(expf, "exp(x)")
  TEGULA_ELSEWHERE(exp2f, "exp2(x)")
  TEGULA_ELSEWHERE(logf, "log(x)")
  TEGULA_ELSEWHERE(log2f, "log2(x)")
  TEGULA_ELSEWHERE(sqrtf, "sqrt(x)")
  TEGULA_ELSEWHERE(rsqrtf, "rsqrt(x)")
  TEGULA_ELSEWHERE(sinf, "sin(x)")
  TEGULA_ELSEWHERE(cosf, "cos(x)")
  TEGULA_ELSEWHERE(tanhf, "tanh(x)")
  TEGULA_ELSEWHERE(powf, "pow(x, y)")
  TEGULA_ELSEWHERE(power, "pow(x, y)")
  TEGULA_ELSEWHERE(fmaf, "fma(a, b, c)")
  TEGULA_ELSEWHERE(rint, "round(x), which rounds halves to even")
  TEGULA_ELSEWHERE(square, "x * x")
  TEGULA_ELSEWHERE(silu, "x * sigmoid(x)")
  TEGULA_ELSEWHERE(cdiv, "(a + b - 1) / b, or count(axis) for how many tiles cover a tensor")
  TEGULA_ELSEWHERE(ceil_div, "(a + b - 1) / b, or count(axis) for how many tiles cover a tensor")

  // Making tiles and changing their shape.
  TEGULA_ELSEWHERE_LIKE(zeros_like, "zeros<T, Extents...>()")
  TEGULA_ELSEWHERE_LIKE(ones_like, "ones<T, Extents...>()")
  TEGULA_ELSEWHERE_LIKE(full_like, "full<T, Extents...>(x)")
  TEGULA_ELSEWHERE(trans, "transpose(x), or permute<Axes...>(x)")
  TEGULA_ELSEWHERE(expand_dims, "reshape<Extents...>(x), with an extent of 1")
  TEGULA_ELSEWHERE(unsqueeze, "reshape<Extents...>(x), with an extent of 1")
  TEGULA_ELSEWHERE(squeeze, "reshape<Extents...>(x), without the extent of 1")
  TEGULA_ELSEWHERE(view, "reshape<Extents...>(x)")
  TEGULA_ELSEWHERE(broadcast_to, "broadcast<Extents...>(x)")
  TEGULA_ELSEWHERE(cat, "concatenate<Axis>(a, b)")
  TEGULA_ELSEWHERE(concat, "concatenate<Axis>(a, b)")
  TEGULA_ELSEWHERE(join, "concatenate<Axis>(a, b), after reshape<...>() of both")
  TEGULA_ELSEWHERE(stack, "concatenate<Axis>(a, b), after reshape<...>() of both")

  // Products and what is made of them.
  TEGULA_ELSEWHERE(dot, "mma(a, b, acc), or sum<Axis>(a * b)")
  TEGULA_ELSEWHERE(matmul, "mma(a, b, acc)")
  TEGULA_ELSEWHERE(mean, "sum<Axis>(x) / extent")
  TEGULA_ELSEWHERE(softmax, "e = exp(x - max<Axis>(x)) and e / sum<Axis>(e); kernels/softmax.hpp is a whole kernel")

  // Memory.
  TEGULA_ELSEWHERE(store, "c.store(x), of an Out, or of a tile of an OutTiles or Patch")
  TEGULA_ELSEWHERE(atomic_add, "s.accumulate(x, i), where s is a parameter AddInto<T, Extents...>")
  TEGULA_ELSEWHERE(atomic_max, "s.accumulate(x, i), where s is a parameter MaxInto<T, Extents...>")
  TEGULA_ELSEWHERE(atomic_min, "s.accumulate(x, i), where s is a parameter MinInto<T, Extents...>")
  TEGULA_ELSEWHERE(atomicAdd, "s.accumulate(x, i), where s is a parameter AddInto<T, Extents...>")

  // Without an axis, or of two tiles.
  TEGULA_AXIS_MISSING(max, "; of two tiles, maximum(a, b)")
  TEGULA_AXIS_MISSING(min, "; of two tiles, minimum(a, b)")
  TEGULA_AXIS_MISSING(sum, "")
  TEGULA_AXIS_MISSING(prod, "")
  TEGULA_AXIS_MISSING(any, "")
  TEGULA_AXIS_MISSING(all, "")
  TEGULA_AXIS_MISSING(argmax, "")
  TEGULA_AXIS_MISSING(argmin, "")
  TEGULA_AXIS_MISSING(cumsum, "")
  TEGULA_AXIS_MISSING(cumprod, "")
  TEGULA_AXIS_MISSING(sort, "")
  TEGULA_AXIS_MISSING(argsort, "")
};
#undef TEGULA_ELSEWHERE
#undef TEGULA_ELSEWHERE_LIKE
#undef TEGULA_AXIS_MISSING

} // namespace detail

} // namespace tegula
