#include "lib/device/Decompose.h"
#include "lib/device/Functions.h"

namespace tegula::device {
namespace {

/// log(1 + f) for |f| <= 1/3: f - f^2 / 2 + f^3 q(f), to 2^-27.7.
float log_of_one_plus(float f) {
  float q = polynomial(f, {0x1.555506p-2f, -0x1.fffefap-3f, 0x1.99d04ap-3f, -0x1.559c8ep-3f, 0x1.1ed5ccp-3f, -0x1.f32bfcp-4f,
                           0x1.1e6b16p-3f, -0x1.07d666p-3f});
  return fma(f * f, fma(f, q, -0.5f), f);
}

} // namespace
} // namespace tegula::device

using namespace tegula::device;

float tegula_logf(float x) {
  Decomposed<float> d = decomposed(x, 2.0f / 3);
  float result = fma(d.exponent, 0x1.62e43p-1f, log_of_one_plus(d.factor - 1));
  return is_positive_finite(x) ? result : log_outside_domain(x);
}

float tegula_log2f(float x) {
  constexpr float log2e = 0x1.715476p0f, log2e_rest = 0x1.4ae0cp-26f;
  Decomposed<float> d = decomposed(x, 2.0f / 3);
  float f = d.factor - 1;
  // log2(1 + f) = f log2(e) + f^2 q(f), to 2^-25.2.
  float q = polynomial(f, {-0x1.715458p-1f, 0x1.ec701cp-2f, -0x1.7171c8p-2f, 0x1.27a0dp-2f, -0x1.e50fc2p-3f, 0x1.9d8be2p-3f,
                           -0x1.c68bacp-3f, 0x1.9e5736p-3f});
  float result = d.exponent + fma(f, log2e, f * fma(f, q, log2e_rest));
  return is_positive_finite(x) ? result : log_outside_domain(x);
}

float tegula_log1pf(float x) {
  // 1 + x = 2^n (1 + f). The rounded sum only decides n; f comes from x.
  u32 shifted = (bits(1 + x) - bits(2.0f / 3)) & 0xff800000u;
  float n = small_integer(static_cast<i32>(shifted) >> 23);
  float four_parts = from_bits(bits(4.0f) - shifted); // 2^(2-n), for 2^-n may be subnormal
  float f = from_bits(bits(x) - shifted) + fma(four_parts, 0.25f, -1);
  float result = fma(n, 0x1.62e43p-1f, log_of_one_plus(f));
  float anywhere = is_positive_finite(1 + x) ? result : log_outside_domain(1 + x);
  return x == 0 ? x : anywhere;
}
