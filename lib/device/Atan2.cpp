#include "lib/device/Arithmetic.h"
#include "lib/device/Functions.h"

namespace tegula::device {
namespace {

inline constexpr Pair<float> pi_f = {0x1.921fb6p1f, -0x1.777a5cp-24f};
inline constexpr Pair<double> pi = {0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};

/// atan(t) for 0 <= t <= 1: t + t^3 p(t^2), to 2^-28.5.
float arc_tangent(float t) {
  float z = t * t;
  float p = polynomial(z, {-0x1.55553ep-2f, 0x1.9991e4p-3f, -0x1.242086p-3f, 0x1.c08c5p-4f, -0x1.58093p-4f, 0x1.da2a9ep-5f,
                           -0x1.fd7ff2p-6f, 0x1.6427aep-7f, -0x1.d3609ep-10f});
  return fma(t * z, p, t);
}

/// To 2^-57.6.
double arc_tangent(double t) {
  double z = t * t;
  double p = polynomial(z, {-0x1.5555555555525p-2, 0x1.999999999548ep-3,  -0x1.249249237b68p-3,   0x1.c71c717eecdcap-4,
                            -0x1.745d119ee6ccp-4,  0x1.3b1365e422ffep-4,  -0x1.110e4b4b338cp-4,   0x1.e1bb5fd5a2253p-5,
                            -0x1.ae5d33925d537p-5, 0x1.82d688a48bfe1p-5,  -0x1.59987c4a9c56ap-5,  0x1.2c166f78dd04cp-5,
                            -0x1.e9ac95903f53bp-6, 0x1.67db8a395715p-6,   -0x1.c6d4899ef68f9p-7,  0x1.d6a9fdf670238p-8,
                            -0x1.791c15fc7638ap-9, 0x1.b25e47706ba4ep-11, -0x1.3dc8c667ee769p-13, 0x1.b996b4502927ep-17});
  return fma(t * z, p, t);
}

template <class T> T angle(T y, T x, Pair<T> half_turn) {
  T a = absolute(x), b = absolute(y);
  bool is_steep = b > a, is_left = with_sign_of(T(1), x) < 0;
  T larger = is_steep ? b : a, smaller = is_steep ? a : b;
  T slope = smaller / larger;
  slope = larger == 0 ? T(0) : smaller == T(infinity) ? T(1) : slope; // 0 / 0 and infinity / infinity
  T tangent = arc_tangent(slope);
  // Counted from the nearest axis: of the four, the right one is at 0, the upper and lower at half of half a turn.
  T part = is_steep ? T(0.5) : is_left ? T(1) : T(0);
  T offset = is_steep == is_left ? tangent : -tangent;
  T magnitude = fma(part, half_turn.high, fma(part, half_turn.low, offset));
  return is_nan(x) || is_nan(y) ? x + y : with_sign_of(magnitude, y);
}

} // namespace
} // namespace tegula::device

using namespace tegula::device;

float tegula_atan2f(float y, float x) { return angle(y, x, pi_f); }
double tegula_atan2(double y, double x) { return angle(y, x, pi); }
