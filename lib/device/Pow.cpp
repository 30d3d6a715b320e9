#include "lib/device/Decompose.h"
#include "lib/device/ExpDouble.h"
#include "lib/device/ExpFloat.h"
#include "lib/device/Functions.h"

namespace tegula::device {
namespace {

/// What differs between the precisions. 2 / log(2) atanh(s) = scale s + third s^3 + s^5 tail(s^2) for |s| < 0.1717.
template <class T> struct PowTraits;
template <> struct PowTraits<float> {
  static constexpr float sqrt_half = 0x1.6a09e6p-1f;
  static constexpr Pair<float> scale = {0x1.715476p1f, 0x1.4ae0cp-25f}, third = {0x1.ec709ep-1f, -0x1.e2fe02p-28f};
  static constexpr float largest_power = 0x1p32f;     // of any number but 1 and -1 it is 0 or infinity
  static constexpr float largest_exponent = 300;      // beyond it the result is 0 or infinity
  static constexpr float integers_are_even = 0x1p24f; // from here on
  /// To 2^-36.8.
  static float tail(float z) { return polynomial(z, {0x1.27770ep-1f, 0x1.a5bbeep-2f, 0x1.59effcp-2f}); }
};
template <> struct PowTraits<double> {
  static constexpr double sqrt_half = 0x1.6a09e667f3bcdp-1;
  static constexpr Pair<double> scale = {0x1.71547652b82fep1, 0x1.777d0ffda0d24p-55};
  static constexpr Pair<double> third = {0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55};
  static constexpr double largest_power = 0x1p64, largest_exponent = 1100, integers_are_even = 0x1p53;
  /// To 2^-73.5.
  static double tail(double z) {
    return polynomial(z, {0x1.2776c50ef9bfcp-1, 0x1.a61762a7aede5p-2, 0x1.484b13d6ac32ep-2, 0x1.0c9a853b677b9p-2,
                          0x1.c68ee9175978p-3, 0x1.8a09c400710eep-3, 0x1.58fbbf0bbbe67p-3, 0x1.61fa3984f6882p-3});
  }
};

template <class T> Pair<T> product(Pair<T> a, Pair<T> b) {
  Pair<T> p = product_exactly(a.high, b.high);
  return {p.high, p.low + fma(a.high, b.low, a.low * b.high)};
}

/// a + b, a larger than b in magnitude or zero.
template <class T> Pair<T> sum(Pair<T> a, Pair<T> b) {
  Pair<T> s = sum_of_ordered(a.high, b.high);
  return sum_of_ordered(s.high, s.low + (a.low + b.low));
}

/// log2(x) for x >= 0, with a relative error so small that it stays small when an exponent of any size is multiplied by it.
template <class T> Pair<T> precise_log2(T x) {
  using Traits = PowTraits<T>;
  if (!is_positive_finite(x))
    return {x == 0 ? -T(infinity) : x, 0};
  Decomposed<T> d = decomposed(x, Traits::sqrt_half);
  Pair<T> s = log_argument(Pair<T>{d.factor - 1, 0}), z = product(s, s);
  Pair<T> cubic = product(z, sum(Traits::third, Pair<T>{z.high * Traits::tail(z.high), 0}));
  return sum(Pair<T>{d.exponent, 0}, product(s, sum(Traits::scale, cubic)));
}

/// |x|^y for y other than 0 and NaN.
template <class T> T power_of_magnitude(T x, T y) {
  using Traits = PowTraits<T>;
  Pair<T> log = precise_log2(absolute(x));
  y = absolute(y) < Traits::largest_power ? y : with_sign_of(Traits::largest_power, y);
  Pair<T> exponent = product_exactly(y, log.high);
  T low = fma(y, log.low, exponent.low);
  if (absolute(exponent.high) < Traits::largest_exponent)
    return exp2_of(exponent.high, low);
  return exponent.high > 0 ? T(infinity) : 0;
}

template <class T> T power(T x, T y) {
  if (x == 1 || y == 0)
    return 1;
  if (is_nan(x) || is_nan(y))
    return x + y;
  T magnitude = power_of_magnitude(x, y);
  bool is_integer = truncated(y) == y;
  bool is_odd = is_integer && absolute(y) < PowTraits<T>::integers_are_even && truncated(y / 2) * 2 != y;
  if (x < 0 && !is_integer && !is_infinite(x))
    return T(nan);
  return is_odd && with_sign_of(T(1), x) < 0 ? -magnitude : magnitude;
}

} // namespace
} // namespace tegula::device

using namespace tegula::device;

float tegula_powf(float x, float y) { return power(x, y); }
double tegula_pow(double x, double y) { return power(x, y); }
