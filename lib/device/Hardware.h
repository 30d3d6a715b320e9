/// \file
/// The approximations that the hardware computes. On the host, where the tests run, exact functions stand in for them, made as
/// wrong as the hardware was measured to be (sm_90): what is built on them must bear it.
#pragma once

#include "lib/device/Arithmetic.h"

namespace tegula::device {

#ifdef __NVPTX__

/// 2^x, within 1.4 units in the last place for x >= 0 and 2.1 for x < 0; results below the normal numbers become 0.
inline float approximate_exp2(float x) { return __nvvm_ex2_approx_ftz_f(x); }
/// 1 / x for x and 1 / x among the normal numbers, within 1 unit.
inline float approximate_reciprocal(float x) { return __nvvm_rcp_approx_ftz_f(x); }
/// 1 / sqrt(x), within 1.6 units.
inline float approximate_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
/// x within [0, 1], and 0 for NaN.
inline float saturated(float x) { return __nvvm_saturate_f(x); }

#else

/// `exact` moved by a fraction of a unit in the last place, up or down as some bit of the argument says, and then rounded. Powers
/// of two the hardware finds exactly.
inline float off_by(double units, double exact, float x) {
  constexpr u64 exponent_bits = 0x7ff0000000000000;
  if ((bits(exact) & ~exponent_bits) == 0 || !__builtin_isfinite(exact))
    return static_cast<float>(exact);
  double unit = from_bits(bits(exact) & exponent_bits) * 0x1p-23;
  return static_cast<float>(exact + (bits(x) * 0x9e3779b1u >> 31 ? units : -units) * unit);
}
inline float approximate_exp2(float x) {
  float result = off_by(x < 0 ? 1.56 : 0.9, __builtin_exp2(x), x);
  return result < 0x1p-126f ? 0 : result;
}
inline float approximate_reciprocal(float x) { return off_by(0.48, 1.0 / x, x); }
inline float approximate_rsqrt(float x) { return off_by(1.02, 1 / __builtin_sqrt(x), x); }
inline float saturated(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }

#endif

/// Where an error of a unit in the last place is made good again.
inline float quick_reciprocal(float x) { return approximate_reciprocal(x); }
inline double quick_reciprocal(double x) { return 1 / x; }

} // namespace tegula::device
