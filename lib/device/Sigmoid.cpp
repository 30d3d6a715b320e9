#include "lib/device/Functions.h"
#include "lib/device/Hardware.h"

using namespace tegula::device;

// Where e^-x is large the result is e^x - e^2x, to the last place: so nothing overflows, and small results keep their digits.

float tegula_sigmoidf(float x) {
  bool is_small = x < -16;
  float power = tegula_expf(is_small ? x : -x);
  return is_small ? fma(-power, power, power) : approximate_reciprocal(1 + power);
}

double tegula_sigmoid(double x) {
  bool is_small = x < -37;
  double power = tegula_exp(is_small ? x : -x);
  return is_small ? fma(-power, power, power) : 1 / (1 + power);
}
