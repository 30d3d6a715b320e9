#include "lib/device/Functions.h"
#include "lib/device/Hardware.h"

using namespace tegula::device;

float tegula_erff(float x) {
  float a = absolute(x);
  a = a > 4 ? 4 : a; // 1 from 4 on, and NaN stays
  // erf(x) = x + x p(x^2) for |x| < 1, to 2^-29.4; above, 1 - 2^(x q(x)), to 2^-31.3. One polynomial whose coefficients are chosen.
  bool is_small = a < 1;
  float u = is_small ? a * a : a;
  float p = is_small ? 0x1.4771fcp-14f : -0x1.5613b4p-16f;
  p = fma(p, u, is_small ? -0x1.a3515ep-11f : 0x1.0a7dd4p-11f);
  p = fma(p, u, is_small ? 0x1.53f224p-8f : -0x1.63f032p-8f);
  p = fma(p, u, is_small ? -0x1.b7f71ap-6f : 0x1.1bf20ep-5f);
  p = fma(p, u, is_small ? 0x1.ce2ce6p-4f : -0x1.3ad052p-3f);
  p = fma(p, u, is_small ? -0x1.81273ep-2f : -0x1.d504aep-1f);
  p = fma(p, u, is_small ? 0x1.06eba8p-3f : -0x1.a0dc94p0f);
  float small = fma(a, p, a), large = 1 - approximate_exp2(a * p);
  return with_sign_of(is_small ? small : large, x);
}

double tegula_erf(double x) {
  double a = absolute(x), result;
  if (a < 1) { // x + x p(x^2), to 2^-56
    double p = polynomial(a * a, {0x1.06eba8214db68p-3, -0x1.812746b03799dp-2, 0x1.ce2f21a03f8b9p-4, -0x1.b82ce311a97e8p-6,
                                  0x1.565bcceedaa77p-8, -0x1.c02daeb723934p-11, 0x1.f9a296b916f05p-14, -0x1.f4c82f657009dp-17,
                                  0x1.b96b5c65d77bep-20, -0x1.5b8c9253e9276p-23, 0x1.d3dee1d24162fp-27, -0x1.a24247275d261p-31});
    result = fma(a, p, a);
  } else { // 1 - e^p(x), to 2^-59; 1 from 6 on, and NaN stays
    double p =
        polynomial(a > 6 ? 6 : a, {-0x1.8bec38e09057p-23, -0x1.20dd556633ef7p0, -0x1.45f4328617c6p-1, -0x1.a4d9aa5cd5a12p-4,
                                   0x1.388e9052c5d9ap-6, 0x1.27ef0ecdcdab8p-12, -0x1.d03c849e40031p-10, 0x1.510740b32fdfep-11,
                                   -0x1.817d789e53267p-15, -0x1.248ef9afbc8d8p-14, 0x1.778f69b0e02dep-15, -0x1.1382208fb3e82p-16,
                                   0x1.20b0477fef60cp-18, -0x1.c5c27e0040b38p-21, 0x1.0c123aa435419p-23, -0x1.d09da037278eep-27,
                                   0x1.178f1423552cp-30, -0x1.a1f3f739320cfp-35, 0x1.24746733c747cp-40});
    result = 1 - tegula_exp(p);
  }
  return with_sign_of(result, x);
}
