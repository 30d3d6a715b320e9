#include "lib/device/Decompose.h"
#include "lib/device/Functions.h"

namespace tegula::device {
namespace {

constexpr double sqrt_half = 0x1.6a09e667f3bcdp-1;

/// exponent * log(2) + log(1 + f), sqrt(1/2) <= 1 + f <= sqrt(2).
double log_of(double exponent, Pair<double> f) {
  // 42 bits of log(2), so that its product with an exponent is exact, and the rest.
  constexpr double ln2 = 0x1.62e42fefa38p-1, ln2_rest = 0x1.ef35793c7673p-45;
  Pair<double> s = log_argument(f);
  double z = s.high * s.high;
  // 2 atanh(s) = 2 s + s^3 q(s^2) for |s| < 0.1717, to 2^-59.5.
  double q = polynomial(z, {0x1.5555555555593p-1, 0x1.999999997f9cfp-2, 0x1.249249422eaf5p-2, 0x1.c71c51d29826p-3,
                            0x1.74664b113ebb3p-3, 0x1.39a06a5ee99aap-3, 0x1.2f1379ab020cfp-3});
  Pair<double> main = sum_of_ordered(exponent * ln2, 2 * s.high);
  return main.high + (main.low + fma(exponent, ln2_rest, fma(s.high * z, q, 2 * s.low)));
}

} // namespace
} // namespace tegula::device

using namespace tegula::device;

double tegula_log(double x) {
  Decomposed<double> d = decomposed(x, sqrt_half);
  return is_positive_finite(x) ? log_of(d.exponent, {d.factor - 1, 0}) : log_outside_domain(x);
}

double tegula_log2(double x) {
  constexpr double scale = 0x1.71547652b82fep1, scale_rest = 0x1.777d0ffda0d24p-55; // 2 / log(2)
  if (!is_positive_finite(x))
    return log_outside_domain(x);
  Decomposed<double> d = decomposed(x, sqrt_half);
  Pair<double> s = log_argument(Pair<double>{d.factor - 1, 0});
  double z = s.high * s.high;
  // 2 / log(2) atanh(s) = 2 / log(2) s + s^3 q(s^2) for |s| < 0.1717, to 2^-59.5.
  double q = polynomial(z, {0x1.ec709dc3a0456p-1, 0x1.2776c50ee713bp-1, 0x1.a61762d2437bbp-2, 0x1.484afcd9859e6p-2,
                            0x1.0ca124c69511ap-2, 0x1.c4785d801f195p-3, 0x1.b53815c8d89a2p-3});
  Pair<double> first = product_exactly(s.high, scale), main = sum_of_ordered(d.exponent, first.high);
  double rest = fma(s.high * z, q, fma(s.low, scale, fma(s.high, scale_rest, first.low)));
  return main.high + (main.low + rest);
}

double tegula_log1p(double x) {
  if (absolute(x) < 0x1p-54)
    return x;
  if (!is_positive_finite(1 + x))
    return log_outside_domain(1 + x);
  // 1 + x = 2^n (1 + f). The rounded sum only decides n; f comes from x, exactly.
  u64 shifted = (bits(1 + x) - bits(sqrt_half)) & 0xfff0000000000000u;
  double n = static_cast<double>(static_cast<i32>(static_cast<i64>(shifted) >> 52));
  double four_parts = from_bits(bits(4.0) - shifted); // 2^(2-n), for 2^-n may be subnormal
  return log_of(n, sum_exactly(fma(four_parts, 0.25, -1.0), from_bits(bits(x) - shifted)));
}
