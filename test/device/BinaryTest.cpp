// Functions of two arguments, in both precisions.
#include "lib/device/Functions.h"
#include "test/device/Arguments.h"
#include "test/device/Ulps.h"

#include <gtest/gtest.h>
#include <string>

namespace tegula::test {
namespace {

struct Function {
  const char* name;
  float (*single)(float, float);
  double (*precise)(double, double);
  double (*single_reference)(double, double);
  long double (*precise_reference)(long double, long double);
  double single_ulps, precise_ulps;
};

const Function functions[] = {
    {"pow", tegula_powf, tegula_pow, std::pow, std::pow, 2, 1},
    {"atan2", tegula_atan2f, tegula_atan2, std::atan2, std::atan2, 2, 2},
    {"fmod", tegula_fmodf, tegula_fmod, std::fmod, std::fmod, 0, 0},
};

template <class T> struct Worst {
  double error = 0;
  T x = 0, y = 0;
};

template <class T, class Reference>
Worst<T> worst_of(T (*function)(T, T), Reference (*reference)(Reference, Reference), int count) {
  Worst<T> worst;
  auto check = [&](T x, T y) {
    double error = error_in_ulps(function(x, y), reference(x, y));
    if (error > worst.error)
      worst = {error, x, y};
  };
  for (T x : special_values<T>())
    for (T y : special_values<T>())
      check(x, y);
  Arguments<T> random;
  for (int i = 0; i < count; ++i) {
    check(random.any(), random.any());
    check(random.within(-10, 10), random.within(-10, 10));
    check(random.near_one(), random.any());
    check(random.any(), random.within(-1, 1));
    check(random.within(0, 4), random.within(-300, 300));
    check(random.within(-4, 4), random.integer(40));
  }
  return worst;
}

class Binary : public testing::TestWithParam<Function> {};

TEST_P(Binary, Single) {
  const Function& f = GetParam();
  Worst<float> worst = worst_of(f.single, f.single_reference, 200000);
  EXPECT_LE(worst.error, f.single_ulps) << std::hexfloat << "at " << worst.x << ", " << worst.y;
}

TEST_P(Binary, Double) {
  const Function& f = GetParam();
  Worst<double> worst = worst_of(f.precise, f.precise_reference, 50000);
  EXPECT_LE(worst.error, f.precise_ulps) << std::hexfloat << "at " << worst.x << ", " << worst.y;
}

INSTANTIATE_TEST_SUITE_P(device, Binary, testing::ValuesIn(functions),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace tegula::test
