// Functions of one argument, in both precisions.
#include "lib/device/Functions.h"
#include "test/device/Arguments.h"
#include "test/device/Ulps.h"

#include <gtest/gtest.h>
#include <string>

namespace tegula::test {
namespace {

/// Single precision is compared with functions of double precision, and that with long double: either has bits enough to spare.
/// In single precision the stand-ins for the hardware's approximations count; exp, where they are always at their worst, stays
/// below 1.9 on hardware.
struct Function {
  const char* name;
  float (*single)(float);
  double (*precise)(double);
  double (*single_reference)(double);
  long double (*precise_reference)(long double);
  double single_ulps, precise_ulps;
  double low, high; // where most arguments come from
};

template <class T> T rsqrt(T x) { return 1 / std::sqrt(x); }
template <class T> T sigmoid(T x) { return 1 / (1 + std::exp(-x)); }

const Function functions[] = {
    {"exp", tegula_expf, tegula_exp, std::exp, std::exp, 2.1, 1, -120, 100},
    {"exp2", tegula_exp2f, tegula_exp2, std::exp2, std::exp2, 2, 1, -160, 140},
    {"expm1", tegula_expm1f, tegula_expm1, std::expm1, std::expm1, 1.5, 1.5, -20, 10},
    {"log", tegula_logf, tegula_log, std::log, std::log, 1, 1, 0, 10},
    {"log2", tegula_log2f, tegula_log2, std::log2, std::log2, 2, 1, 0, 10},
    {"log1p", tegula_log1pf, tegula_log1p, std::log1p, std::log1p, 1.5, 1, -1, 10},
    {"sin", tegula_sinf, tegula_sin, std::sin, std::sin, 1.5, 1, -1e5, 1e5},
    {"cos", tegula_cosf, tegula_cos, std::cos, std::cos, 1.5, 1, -1e5, 1e5},
    {"tan", tegula_tanf, tegula_tan, std::tan, std::tan, 2, 1.5, -1e5, 1e5},
    {"sigmoid", tegula_sigmoidf, tegula_sigmoid, sigmoid, sigmoid, 4, 2.5, -100, 100},
    {"tanh", tegula_tanhf, tegula_tanh, std::tanh, std::tanh, 2, 2, -10, 10},
    {"erf", tegula_erff, tegula_erf, std::erf, std::erf, 1.5, 1.5, -6, 6},
    {"rsqrt", tegula_rsqrtf, tegula_rsqrt, rsqrt, rsqrt, 1, 1, 0, 10},
};

/// The worst of the errors; `where` is its argument.
template <class T, class Reference>
double worst_error(T (*function)(T), Reference (*reference)(Reference), const Function& f, int count, T& where) {
  double worst = 0;
  auto check = [&](T x) {
    double error = error_in_ulps(function(x), reference(x));
    if (error > worst) {
      worst = error;
      where = x;
    }
  };
  for (T x : special_values<T>())
    check(x);
  Arguments<T> random;
  for (int i = 0; i < count; ++i) {
    check(random.any());
    check(random.within(f.low, f.high));
    check(random.within(-2, 2));
    check(random.near_one());
  }
  return worst;
}

class Unary : public testing::TestWithParam<Function> {};

TEST_P(Unary, Single) {
  const Function& f = GetParam();
  float where = 0;
  double worst = worst_error(f.single, f.single_reference, f, 500000, where);
  EXPECT_LE(worst, f.single_ulps) << std::hexfloat << "at " << where;
}

TEST_P(Unary, Double) {
  const Function& f = GetParam();
  double where = 0;
  double worst = worst_error(f.precise, f.precise_reference, f, 100000, where);
  EXPECT_LE(worst, f.precise_ulps) << std::hexfloat << "at " << where;
}

INSTANTIATE_TEST_SUITE_P(device, Unary, testing::ValuesIn(functions),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace tegula::test
