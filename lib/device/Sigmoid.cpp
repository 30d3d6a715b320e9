#include "lib/device/Functions.h"
#include "lib/device/Hardware.h"

using namespace tegula::device;

float tegula_sigmoidf(float x) {
  float result = approximate_reciprocal(1 + tegula_expf(-x));
  return x < -80 ? tegula_expf(x) : result; // where 1 is nothing beside e^-x, and the reciprocal may be no normal number
}

double tegula_sigmoid(double x) { return 1 / (1 + tegula_exp(-x)); }
