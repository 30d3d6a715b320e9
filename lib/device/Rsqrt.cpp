#include "lib/device/Functions.h"
#include "lib/device/Hardware.h"

namespace tegula::device {
namespace {

/// One of Newton's steps towards 1 / sqrt(x): rounding apart, the error becomes 3/2 of its square.
template <class T> T improved_rsqrt(T x, T r) {
  T improved = fma(r * T(0.5), fma(-(x * r), r, T(1)), r);
  return x > 0 && x < T(infinity) ? improved : r;
}

} // namespace
} // namespace tegula::device

using namespace tegula::device;

float tegula_rsqrtf(float x) { return improved_rsqrt(x, approximate_rsqrt(x)); }
double tegula_rsqrt(double x) { return improved_rsqrt(x, 1 / __builtin_sqrt(x)); }
