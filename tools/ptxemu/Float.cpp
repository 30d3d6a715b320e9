// Arithmetic of f32 and f64 with the roundings that IEEE 754 defines.
#include <cfenv>
#include <cmath>

#include "tools/ptxemu/Elementwise.h"
#include "tools/ptxemu/Formats.h"

namespace ptxemu {
namespace {

enum FloatFlag : std::uint8_t { flush = 1, saturate = 2 };

inline float canonical(float x) { return std::isnan(x) ? std::bit_cast<float>(canonical_nan) : x; }
inline double canonical(double x) { return x; }

// Denormal numbers become zeros of the same sign.
inline float flushed(float x) { return std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x; }
inline double flushed(double x) { return x; }

template <class T> T saturated(T x) { return x > T(0) ? std::min(x, T(1)) : T(0); }

struct Add {
  template <class T> T operator()(T a, T b) const { return a + b; }
};
struct Sub {
  template <class T> T operator()(T a, T b) const { return a - b; }
};
struct Mul {
  template <class T> T operator()(T a, T b) const { return a * b; }
};
struct Div {
  template <class T> T operator()(T a, T b) const { return a / b; }
};
struct Fma {
  template <class T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); }
};
struct Sqrt {
  template <class T> T operator()(T a) const { return std::sqrt(a); }
};
struct Rcp {
  template <class T> T operator()(T a) const { return T(1) / a; }
};
struct Neg {
  template <class T> T operator()(T a) const { return -a; }
};
struct Abs {
  template <class T> T operator()(T a) const { return std::fabs(a); }
};
struct CopySign { // the sign of the first
  template <class T> T operator()(T a, T b) const { return std::copysign(b, a); }
};
inline float nan_of(float) { return std::bit_cast<float>(canonical_nan); }
inline double nan_of(double) { return std::bit_cast<double>(0x7fffffffffffffffULL); }

template <bool nan> struct Min {
  template <class T> T operator()(T a, T b) const {
    bool first = std::isnan(a), second = std::isnan(b);
    if (first || second)
      return nan || (first && second) ? nan_of(a) : first ? b : a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
  }
};
template <bool nan> struct Max {
  template <class T> T operator()(T a, T b) const {
    if (std::isnan(a) || std::isnan(b))
      return Min<nan>()(a, b);
    return a > b || (a == b && !std::signbit(a)) ? a : b;
  }
};

// Rounding to nearest and nothing else: by far the most frequent.
template <class T, class Op, int sources> void plain(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  each(mask, [=](int l) {
    if constexpr (sources == 1)
      d[l] = bits_of(canonical(Op()(value_of<T>(a[l]))));
    else if constexpr (sources == 2)
      d[l] = bits_of(canonical(Op()(value_of<T>(a[l]), value_of<T>(b[l]))));
    else
      d[l] = bits_of(canonical(Op()(value_of<T>(a[l]), value_of<T>(b[l]), value_of<T>(c[l]))));
  });
}

constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

template <class T, class Op, int sources> void general(Warp& warp, const Instruction& in, Mask mask) {
#pragma STDC FENV_ACCESS ON
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  bool flushes = in.flags & flush;
  auto read = [&](std::uint64_t bits) { return flushes ? flushed(value_of<T>(bits)) : value_of<T>(bits); };
  std::fesetround(modes[in.kind]);
  for (; mask; mask &= mask - 1) {
    int l = std::countr_zero(mask);
    T x;
    if constexpr (sources == 1)
      x = Op()(read(a[l]));
    else if constexpr (sources == 2)
      x = Op()(read(a[l]), read(b[l]));
    else
      x = Op()(read(a[l]), read(b[l]), read(c[l]));
    x = flushes ? flushed(x) : x;
    d[l] = bits_of(canonical(in.flags & saturate ? saturated(x) : x));
  }
  std::fesetround(FE_TONEAREST);
}

template <class Op, int sources> void emit_float(Decoder& decoder, Type type) {
  plain_operands(decoder, sources, type);
  bool simple = decoder.out.flags == 0 && decoder.out.kind == 0;
  if (type == Type::f32)
    decoder.emit(simple ? plain<float, Op, sources> : general<float, Op, sources>);
  else
    decoder.emit(simple ? plain<double, Op, sources> : general<double, Op, sources>);
}

} // namespace

void decode_float(Decoder& decoder) {
  std::string_view root = decoder.root();
  Round round = decoder.take_round();
  decoder.out.kind = static_cast<std::uint8_t>(round);
  decoder.out.flags = (decoder.take("ftz") ? flush : 0) | (decoder.take("sat") ? saturate : 0);
  bool nan = decoder.take("NaN");
  Type type = decoder.take_type();
  if ((type != Type::f32 && type != Type::f64) || round == Round::nearest_away)
    decoder.unknown();
  if (root == "add")
    return emit_float<Add, 2>(decoder, type);
  if (root == "sub")
    return emit_float<Sub, 2>(decoder, type);
  if (root == "mul")
    return emit_float<Mul, 2>(decoder, type);
  if (root == "div")
    return emit_float<Div, 2>(decoder, type);
  if (root == "fma" || root == "mad")
    return emit_float<Fma, 3>(decoder, type);
  if (root == "sqrt")
    return emit_float<Sqrt, 1>(decoder, type);
  if (root == "rcp")
    return emit_float<Rcp, 1>(decoder, type);
  if (root == "neg")
    return emit_float<Neg, 1>(decoder, type);
  if (root == "abs")
    return emit_float<Abs, 1>(decoder, type);
  if (root == "copysign")
    return emit_float<CopySign, 2>(decoder, type);
  if (root == "min")
    return nan ? emit_float<Min<true>, 2>(decoder, type) : emit_float<Min<false>, 2>(decoder, type);
  if (root == "max")
    return nan ? emit_float<Max<true>, 2>(decoder, type) : emit_float<Max<false>, 2>(decoder, type);
  decoder.unknown();
}

namespace {

using Function = double (*)(double);

double exponential(double x) { return std::exp2(x); }
double logarithm(double x) { return std::log2(x); }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double tangent(double x) { return std::tanh(x); }
double reciprocal(double x) { return 1 / x; }
double root_of(double x) { return std::sqrt(x); }
double reciprocal_root(double x) { return 1 / std::sqrt(x); }

template <class T, Function function> void approximate(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  bool flushes = in.flags & flush;
  each(mask, [=](int l) {
    T x = value_of<T>(a[l]);
    x = static_cast<T>(function(flushes ? flushed(x) : x));
    d[l] = bits_of(canonical(flushes ? flushed(x) : x));
  });
}

template <Function function> void emit_approximate(Decoder& decoder, Type type) {
  plain_operands(decoder, 1, type);
  decoder.emit(type == Type::f64 ? approximate<double, function> : approximate<float, function>);
}

} // namespace

// The quick functions: computed in f64, and rounded. Better than the hardware's, within what PTX promises.
void decode_approximate(Decoder& decoder) {
  std::string_view root = decoder.root();
  bool approx = decoder.take("approx") || decoder.take("full");
  if (!approx && root != "rsqrt" && root != "ex2" && root != "lg2")
    return decode_float(decoder);
  decoder.out.flags = decoder.take("ftz") ? flush : 0;
  Type type = decoder.take_type();
  if (type != Type::f32 && type != Type::f64)
    decoder.unknown();
  if (root == "div")
    return emit_float<Div, 2>(decoder, type);
  if (root == "ex2")
    return emit_approximate<exponential>(decoder, type);
  if (root == "lg2")
    return emit_approximate<logarithm>(decoder, type);
  if (root == "sin")
    return emit_approximate<sine>(decoder, type);
  if (root == "cos")
    return emit_approximate<cosine>(decoder, type);
  if (root == "tanh")
    return emit_approximate<tangent>(decoder, type);
  if (root == "rcp")
    return emit_approximate<reciprocal>(decoder, type);
  if (root == "sqrt")
    return emit_approximate<root_of>(decoder, type);
  if (root == "rsqrt")
    return emit_approximate<reciprocal_root>(decoder, type);
  decoder.unknown();
}

} // namespace ptxemu
