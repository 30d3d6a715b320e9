/// \file
/// What the exponential functions of double precision share.
#pragma once

#include "lib/device/Arithmetic.h"

namespace tegula::device {

inline constexpr double log2e = 0x1.71547652b82fep0, ln2 = 0x1.62e42fefa39efp-1, ln2_rest = 0x1.abc9e3b39803fp-56;

/// x = n log(2) + r, |r| < 0.35.
inline double exp_argument(double x, double n) { return fma(n, -ln2_rest, fma(n, -ln2, x)); }

/// e^r - 1 - r for |r| < 0.35: r^2 q(r), to 2^-61 of e^r - 1.
inline double exp_beyond_linear(double r) {
  double q = polynomial(r, {0x1p-1, 0x1.5555555555558p-3, 0x1.5555555555549p-5, 0x1.111111110fa65p-7, 0x1.6c16c16c1cc51p-10,
                            0x1.a01a01aea1d4fp-13, 0x1.a01a01828c9b1p-16, 0x1.71ddfb243bdaep-19, 0x1.27e52d33b0eeep-22,
                            0x1.af5a5223c10fp-26, 0x1.1ef0e541f98f3p-29});
  return r * r * q;
}

/// 2^(x + low) for |x| <= 1100 and a low part that is small beside x.
inline double exp2_of(double x, double low) {
  NearestDouble n(x);
  Pair<double> f = sum_exactly(x - n.value, low);
  double r = f.high * ln2;
  double r_low = fma(f.low, ln2, fma(f.high, ln2_rest, fma(f.high, ln2, -r)));
  return scaled(1 + (r + (exp_beyond_linear(r) + r_low)), n.integer());
}

} // namespace tegula::device
