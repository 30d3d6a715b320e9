#include "lib/device/Functions.h"
#include "lib/device/Hardware.h"
#include "lib/device/QuarterTurns.h"

namespace tegula::device {
namespace {

/// The sine of a rest plus a number of quarter turns: sin(r) = r + r^3 p(r^2) or cos(r) = 1 + r^2 p(r^2), to 2^-32.5 and 2^-33,
/// by one polynomial whose coefficients are chosen.
float sine(float r, i32 turns) {
  bool is_cosine = turns & 1;
  float z = r * r, base = is_cosine ? 1 : r;
  float p = is_cosine ? 0x1.99e80cp-16f : 0x1.7c2c4ep-19f;
  p = fma(p, z, is_cosine ? -0x1.6c0c28p-10f : -0x1.a05954p-13f);
  p = fma(p, z, is_cosine ? 0x1.55554ap-5f : 0x1.111174p-7f);
  p = fma(p, z, is_cosine ? -0.5f : -0x1.555556p-3f);
  float result = fma(base * z, p, base);
  return turns & 2 ? -result : result;
}

} // namespace
} // namespace tegula::device

using namespace tegula::device;

float tegula_sinf(float x) {
  QuarterTurns<float> q = quarter_turns(x);
  float result = sine(q.rest.high, q.turns);
  return x == 0 ? x : result;
}

float tegula_cosf(float x) {
  QuarterTurns<float> q = quarter_turns(x);
  return sine(q.rest.high, q.turns + 1);
}

float tegula_tanf(float x) {
  QuarterTurns<float> q = quarter_turns(x);
  float r = q.rest.high, z = r * r;
  // tan(r) = r + r^3 p(r^2), to 2^-29.5.
  float p = polynomial(
      z, {0x1.55556p-2f, 0x1.110d9ap-3f, 0x1.badaep-5f, 0x1.5cb268p-6f, 0x1.63213ep-7f, 0x1.5fbf14p-14f, 0x1.1f1256p-8f});
  float beyond_linear = fma(r * z, p, q.rest.low);
  Pair<float> t = sum_of_ordered(r, beyond_linear);
  float inverse = approximate_reciprocal(t.high);
  float error = fma(t.low, inverse, fma(t.high, inverse, -1.0f));
  float result = q.turns & 1 ? fma(inverse, error, -inverse) : t.high;
  return x == 0 ? x : result;
}
