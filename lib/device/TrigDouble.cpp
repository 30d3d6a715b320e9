#include "lib/device/Functions.h"
#include "lib/device/QuarterTurns.h"

namespace tegula::device {
namespace {

/// sin(r) = r + r^3 p(r^2), to 2^-57.9. The low part of r adds its product with the derivative.
double sine_of_rest(Pair<double> r) {
  double z = r.high * r.high;
  double p = polynomial(z, {-0x1.5555555555548p-3, 0x1.111111110f73p-7, -0x1.a01a019be9212p-13, 0x1.71de35552aa14p-19,
                            -0x1.ae5e4b83035d3p-26, 0x1.5d8b553c54839p-33});
  return r.high + fma(r.high * z, p, fma(-0.5 * z, r.low, r.low));
}

/// cos(r) = 1 - r^2 / 2 + r^4 p(r^2), to 2^-63.9.
double cosine_of_rest(Pair<double> r) {
  double z = r.high * r.high;
  double p = polynomial(z, {0x1.555555555554bp-5, -0x1.6c16c16c15005p-10, 0x1.a01a019c8c7ccp-16, -0x1.27e4f7ef0c63ep-22,
                            0x1.1ee9d9c591fa7p-29, -0x1.8fa552e7b62a2p-37});
  Pair<double> first = sum_of_ordered(1.0, -0.5 * z);
  return first.high + (first.low + fma(z * z, p, -r.high * r.low));
}

double sine(QuarterTurns<double> q) {
  double result = q.turns & 1 ? cosine_of_rest(q.rest) : sine_of_rest(q.rest);
  return q.turns & 2 ? -result : result;
}

} // namespace
} // namespace tegula::device

using namespace tegula::device;

double tegula_sin(double x) { return x == 0 ? x : sine(quarter_turns(x)); }

double tegula_cos(double x) {
  QuarterTurns<double> q = quarter_turns(x);
  return sine({q.turns + 1, q.rest});
}

double tegula_tan(double x) {
  QuarterTurns<double> q = quarter_turns(x);
  double r = q.rest.high, z = r * r;
  // tan(r) = r + r^3 p(r^2), to 2^-56.2.
  double p = polynomial(z, {0x1.55555555554eep-2, 0x1.11111111186fcp-3, 0x1.ba1ba1b43a5a8p-5, 0x1.664f49b18fd96p-6,
                            0x1.226e1159feefep-7, 0x1.d6d957c75d64bp-9, 0x1.7d59a738a101cp-10, 0x1.3808e77ecc22fp-11,
                            0x1.d1c772ee0182dp-13, 0x1.1f8611cc58bd4p-13, -0x1.c85bd60d6924ep-16, 0x1.7a574d82ee85ep-14,
                            -0x1.7bdd1a1ed035ep-15, 0x1.5fac5a5051f42p-16});
  Pair<double> t = sum_of_ordered(r, fma(r * z, p, fma(z, q.rest.low, q.rest.low)));
  if (!(q.turns & 1))
    return x == 0 ? x : t.high;
  double inverse = 1 / t.high;
  return fma(inverse, fma(t.low, inverse, fma(t.high, inverse, -1.0)), -inverse);
}
