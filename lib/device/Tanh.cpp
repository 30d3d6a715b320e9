#include "lib/device/Functions.h"
#include "lib/device/Hardware.h"

using namespace tegula::device;

float tegula_tanhf(float x) {
  float a = absolute(x), z = a * a;
  // x + x^3 p(x^2) below 1, to 2^-27.7; above, 1 - 2 / (e^2x + 1).
  float p = polynomial(
      z, {-0x1.55553cp-2f, 0x1.110be4p-3f, -0x1.b9623ap-5f, 0x1.6009a2p-6f, -0x1.045fcep-7f, 0x1.2d9f3ap-9f, -0x1.77c9eap-12f});
  float small = fma(a * z, p, a);
  float power = approximate_exp2(a * 0x1.715476p1f);
  float large = fma(-2, approximate_reciprocal(power + 1), 1);
  return with_sign_of(a < 1 ? small : large, x);
}

double tegula_tanh(double x) {
  double a = absolute(x);
  double power = tegula_expm1(2 * (a > 20 ? 20 : a)); // 1 from 20 on, and NaN stays
  Pair<double> sum = sum_exactly(2.0, power);
  double quotient = power / sum.high;
  double result = quotient + fma(-quotient, sum.low, fma(-quotient, sum.high, power)) / sum.high;
  return with_sign_of(result, x);
}
