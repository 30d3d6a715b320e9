// Functions that are made of others, and so are the same on every device: inverse and hyperbolic ones, roots and logarithms, bits.
#pragma once
#include "tegula/kernel/cast.hpp"
#include "tegula/kernel/math.hpp"
#include "tegula/kernel/operators.hpp"

#include <limits>

namespace tegula {

namespace detail {
template <class T> inline constexpr bool is_half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T> inline constexpr bool is_double = std::is_same_v<T, f64>;
inline constexpr double infinite = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The unsigned integer with an element's bits.
template <int Bytes> struct UnsignedOf;
template <> struct UnsignedOf<1> : std::type_identity<u8> {};
template <> struct UnsignedOf<2> : std::type_identity<u16> {};
template <> struct UnsignedOf<4> : std::type_identity<u32> {};
template <> struct UnsignedOf<8> : std::type_identity<u64> {};
template <class T> using Bits = typename UnsignedOf<size_of(dtype<T>())>::type;
template <class T> inline constexpr int bit_count = size_of(dtype<T>()) * 8;

/// f(x), computed in f32 where x is shorter.
template <class F, class T, int... D> Tile<T, D...> widened(const Tile<T, D...>& x, const F& f) {
  check_float<T, D...>();
  if constexpr (is_half<T>)
    return cast<T>(f(cast<f32>(x)));
  else
    return f(x);
}
template <class T, int... D> constexpr void check_integers() {
  TEGULA_CHECK(is_integer(dtype<T>()), "tegula: the function needs a tile of integers",
               text("tegula: the function needs a tile of integers, not ", tile_type<T, D...>));
}
} // namespace detail

/// The first with the sign of the second.
template <class T, int... D> Tile<T, D...> copysign(const Tile<T, D...>& x, const Tile<T, D...>& sign) {
  detail::check_float<T, D...>();
  using U = detail::Bits<T>;
  constexpr U top = static_cast<U>(U{1} << (detail::bit_count<T> - 1)), rest = static_cast<U>(top - 1);
  return bitcast<T>((bitcast<U>(x) & rest) | (bitcast<U>(sign) & top));
}

template <class T, int... D> Tile<bool, D...> isnan(const Tile<T, D...>& x) {
  detail::check_float<T, D...>();
  return x != x; // NOLINT(misc-redundant-expression): nothing else differs from itself
}
template <class T, int... D> Tile<bool, D...> isinf(const Tile<T, D...>& x) {
  detail::check_float<T, D...>();
  return abs(x) == detail::infinite;
}
template <class T, int... D> Tile<bool, D...> isfinite(const Tile<T, D...>& x) {
  detail::check_float<T, D...>();
  return abs(x) < detail::infinite;
}

template <class T, int... D> Tile<T, D...> atan(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) { return atan2(y, 1); });
}
template <class T, int... D> Tile<T, D...> asin(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) { return atan2(y, sqrt((1 - y) * (1 + y))); });
}
template <class T, int... D> Tile<T, D...> acos(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) { return atan2(sqrt((1 - y) * (1 + y)), y); });
}

namespace detail {
/// exp(x) / 2 where exp(x) alone may be too large.
template <class T, int... D> Tile<T, D...> half_exp(const Tile<T, D...>& x) {
  const auto root = exp(x * 0.5);
  return root * 0.5 * root;
}
constexpr double far = 20; // where exp(-x) no longer counts beside exp(x)
} // namespace detail

template <class T, int... D> Tile<T, D...> sinh(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) {
    const auto a = abs(y), e = expm1(a);
    return copysign(select(a < detail::far, (e + e / (e + 1)) * 0.5, detail::half_exp(a)), y);
  });
}
template <class T, int... D> Tile<T, D...> cosh(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) {
    const auto a = abs(y), e = exp(a);
    return select(a < detail::far, (e + 1 / e) * 0.5, detail::half_exp(a));
  });
}

namespace detail {
constexpr double log_of_2 = 0.69314718055994530942;
constexpr double large = 1e8; // where x² + 1 is x²
} // namespace detail

template <class T, int... D> Tile<T, D...> asinh(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) {
    const auto a = abs(y), near = log1p(a + a * a / (1 + sqrt(a * a + 1)));
    return copysign(select(a < detail::large, near, log(a) + detail::log_of_2), y);
  });
}
/// NaN below 1.
template <class T, int... D> Tile<T, D...> acosh(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) {
    const auto above = y - 1, near = log1p(above + sqrt(above * (above + 2)));
    return select(y < 1, detail::not_a_number, select(y < detail::large, near, log(y) + detail::log_of_2));
  });
}
/// Infinite at -1 and 1, NaN outside.
template <class T, int... D> Tile<T, D...> atanh(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) {
    const auto a = abs(y);
    return copysign(log1p(2 * a / (1 - a)) * 0.5, y);
  });
}

template <class T, int... D> Tile<T, D...> cbrt(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) {
    const auto a = abs(y);
    auto root = exp2(log2(a) / 3);
    root = root - (root - a / (root * root)) / 3; // one step of Newton's
    return copysign(select(a > 0 && a < detail::infinite, root, a), y);
  });
}
template <class T, int... D> Tile<T, D...> log10(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) { return log2(y) * 0.30102999566398119521; });
}
/// 10 to the x: 2 to the n times 10 to what is left, n being whole.
template <class T, int... D> Tile<T, D...> exp10(const Tile<T, D...>& x) {
  return detail::widened(x, [](const auto& y) {
    constexpr bool wide = detail::is_double<typename std::remove_cvref_t<decltype(y)>::element>;
    // log10(2) in two parts, the first so short that n times it is exact.
    constexpr double high = wide ? 0x1.34413509f6p-2 : 0x1.344p-2, rest = wide ? 3.6942390771589308e-13 : 4.6050389811952114e-6;
    constexpr double most = wide ? 310 : 40;
    const auto bounded = clamp(y, -2 * most, most), n = round(bounded * 3.32192809488736234787), half = trunc(n * 0.5);
    const auto left = fma(n, -rest, fma(n, -high, bounded));
    return exp2(half) * (exp2(n - half) * exp(left * 2.30258509299404568402));
  });
}

/// What is left of x when y is taken away from it as often as it can be: x % y.
template <class X, class Y> auto fmod(const X& x, const Y& y)
  requires(detail::is_tile<X> || detail::is_tile<Y>)
{
  return x % y;
}

/// How many bits are set.
template <class T, int... D> Tile<i32, D...> popcount(const Tile<T, D...>& x) {
  detail::check_integers<T, D...>();
  auto n = cast<u64>(bitcast<detail::Bits<T>>(x)); // pairs of bits, of pairs, ...
  n = n - ((n >> 1) & u64{0x5555555555555555});
  n = (n & u64{0x3333333333333333}) + ((n >> 2) & u64{0x3333333333333333});
  n = (n + (n >> 4)) & u64{0x0F0F0F0F0F0F0F0F};
  return cast<i32>((n * u64{0x0101010101010101}) >> 56);
}
/// How many bits above the highest one that is set; of 0 all.
template <class T, int... D> Tile<i32, D...> clz(const Tile<T, D...>& x) {
  detail::check_integers<T, D...>();
  auto n = bitcast<detail::Bits<T>>(x);
  for (int step = 1; step < detail::bit_count<T>; step *= 2)
    n = n | (n >> step);
  return detail::bit_count<T> - popcount(n);
}
/// The upper half of the product.
template <class T, int... D> Tile<T, D...> mulhi(const Tile<T, D...>& a, const Tile<T, D...>& b) {
  detail::check_integers<T, D...>();
  constexpr int bits = detail::bit_count<T>;
  if constexpr (bits < 64) {
    using Wide = std::conditional_t<is_unsigned(detail::dtype<T>()), u64, i64>;
    return cast<T>((cast<Wide>(a) * cast<Wide>(b)) >> bits);
  } else {
    const auto x = bitcast<u64>(a), y = bitcast<u64>(b);
    const u64 mask = 0xFFFFFFFF;
    const auto x0 = x & mask, x1 = x >> 32, y0 = y & mask, y1 = y >> 32;
    const auto middle = x1 * y0 + ((x0 * y0) >> 32), other = x0 * y1 + (middle & mask);
    auto high = x1 * y1 + (middle >> 32) + (other >> 32);
    if constexpr (!is_unsigned(detail::dtype<T>())) // a negative number counts 2⁶⁴ too much
      high = high - select(a < 0, y, u64{0}) - select(b < 0, x, u64{0});
    return bitcast<T>(high);
  }
}

} // namespace tegula
