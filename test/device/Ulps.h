/// \file
/// How far a result is from the right one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tegula::test {

/// In units of the last place that T has at the right result. Infinity counts as the power of two after the largest number. An
/// error without measure (NaN or not, a zero's sign, the sign of infinity) is infinite.
template <class T, class Reference> double error_in_ulps(T actual, Reference expected) {
  using Limits = std::numeric_limits<T>;
  constexpr double never = std::numeric_limits<double>::infinity();
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual) ? 0 : never;
  if (std::signbit(expected) != std::signbit(actual))
    return never;
  if (std::isinf(expected) || expected == 0)
    return static_cast<Reference>(actual) == expected ? 0 : never;
  using Wide = long double;
  Wide limit = std::ldexp(Wide(1), Limits::max_exponent);
  Wide right = std::min(limit, std::fabs(static_cast<Wide>(expected)));
  Wide got = std::min(limit, std::fabs(static_cast<Wide>(actual)));
  int exponent = std::clamp(std::ilogb(right), Limits::min_exponent - 1, Limits::max_exponent - 1);
  return static_cast<double>(std::ldexp(std::fabs(got - right), Limits::digits - 1 - exponent));
}

} // namespace tegula::test
