#include "lib/device/ExpDouble.h"
#include "lib/device/Functions.h"

using namespace tegula::device;

double tegula_exp(double x) {
  NearestDouble n(x * log2e);
  double r = exp_argument(x, n.value);
  double result = scaled(1 + (r + exp_beyond_linear(r)), n.integer());
  return x > 710 ? infinity : x < -746 ? 0 : result;
}

double tegula_exp2(double x) { return x > 1025 ? infinity : x < -1076 ? 0 : exp2_of(x, 0); }

double tegula_expm1(double x) {
  x = x < -40 ? -40 : x; // -1 from here on, and NaN stays
  NearestDouble n(x * log2e);
  double r = exp_argument(x, n.value);
  double half_power = power_of_two<double>(n.integer() - 1); // 2^1024 would be infinity
  double result = 2 * fma(exp_beyond_linear(r), half_power, fma(r, half_power, half_power - 0.5));
  return absolute(x) < 0x1p-55 ? x : x > 710 ? infinity : result;
}
