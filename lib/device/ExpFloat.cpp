#include "lib/device/ExpFloat.h"
#include "lib/device/Functions.h"

using namespace tegula::device;

float tegula_expf(float x) {
  constexpr float log2e = 0x1.715476p0f, log2e_rest = 0x1.4ae0cp-26f; // both positive, or infinity would become NaN
  PowerBelow power(x, log2e);
  return approximate_exp2(fma(x, log2e_rest, fma(x, log2e, -power.exponent()))) * power.value();
}

float tegula_exp2f(float x) { return exp2_of(x, -0.0f); }

float tegula_expm1f(float x) {
  constexpr float log2e = 0x1.715476p0f, ln2 = 0x1.62e43p-1f, ln2_rest = -0x1.05c61p-29f;
  x = x < -18.0f ? -18.0f : x; // -1 from here on, and NaN stays
  NearestFloat n(__builtin_fminf(x * log2e, 128));
  float r = fma(n.value, -ln2_rest, fma(n.value, -ln2, x));
  // e^r - 1 = r + r^2 q(r) for |r| < 0.35, to 2^-26. Times 2^n, and 2^n - 1 added, by halves because 2^128 is infinity.
  float q = polynomial(r, {0x1.fffffep-2f, 0x1.5554aep-3f, 0x1.5556fp-5f, 0x1.122a72p-7f, 0x1.6ba488p-10f});
  float half_power = power_of_two<float>(n.integer() - 1);
  float result = 2 * fma(r * r * q, half_power, fma(r, half_power, half_power - 0.5f));
  return absolute(x) < 0x1p-26f ? x : result;
}
