#include "lib/device/Arithmetic.h"
#include "lib/device/Functions.h"

namespace tegula::device {
namespace {

/// x - trunc(x / y) * y for 0 <= x / y < 2^(bits of a mantissa - 1). The rounded quotient may reach the next integer, not more;
/// the difference is exact, since both numbers are multiples of the last place of the smaller.
template <class T> T remainder_of_close(T x, T y) {
  T r = fma(-truncated(x / y), y, x);
  return r < 0 ? r + y : r;
}

/// The exponent of a positive number in the sense that 2^e <= x < 2^(e+1).
i32 exponent_of(float x) {
  bool is_subnormal = x < 0x1p-126f;
  return static_cast<i32>(bits(is_subnormal ? x * 0x1p23f : x) >> 23) - (is_subnormal ? 150 : 127);
}
i32 exponent_of(double x) {
  bool is_subnormal = x < 0x1p-1022;
  return static_cast<i32>(bits(is_subnormal ? x * 0x1p52 : x) >> 52) - (is_subnormal ? 1075 : 1023);
}

/// y is multiplied by powers of two that bring it near x, the largest first: x mod (2^n y) has the same remainder.
template <class T> [[gnu::noinline]] T remainder_of_far(T x, T y) {
  constexpr i32 step = sizeof(T) == 4 ? 22 : 51;
  while (x >= y) {
    i32 apart = exponent_of(x) - exponent_of(y) - step;
    if (apart <= 0)
      return remainder_of_close(x, y);
    x = remainder_of_close(x, scaled(y, apart));
  }
  return x;
}

template <class T> T remainder(T x, T y, T limit) {
  T a = absolute(x), b = absolute(y);
  if (!(a < T(infinity)) || !(b > 0)) // infinite or NaN; 0 or NaN
    return T(nan);
  if (a < b)
    return x;
  T quotient = a / b; // as large as infinity
  T r = __builtin_expect(quotient < limit, true) ? remainder_of_close(a, b) : remainder_of_far(a, b);
  return with_sign_of(r, x);
}

} // namespace
} // namespace tegula::device

using namespace tegula::device;

float tegula_fmodf(float x, float y) { return remainder(x, y, 0x1p22f); }
double tegula_fmod(double x, double y) { return remainder(x, y, 0x1p51); }
