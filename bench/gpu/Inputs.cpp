#include "bench/gpu/Inputs.h"

#include <algorithm>
#include <cmath>

namespace tegula::bench {

void check_normal(const std::vector<double>& numbers) {
  double sum = 0, squares = 0;
  for (double x : numbers) {
    sum += x;
    squares += x * x;
  }
  const double n = static_cast<double>(numbers.size()), mean = sum / n, variance = squares / n - mean * mean;
  const double deviation = 6 / std::sqrt(n); // six times that of the mean; that of the variance is 1.4 times as large
  if (!(std::fabs(mean) < deviation && std::fabs(variance - 1) < 2 * deviation))
    throw Error("the inputs are not normal: their mean is " + std::to_string(mean) + ", their variance " +
                std::to_string(variance));
}

void check_close(const std::string& what, const std::vector<double>& got, const std::vector<double>& expected, double tolerance,
                 double scale) {
  if (got.size() != expected.size())
    throw Error(what + ": " + std::to_string(got.size()) + " elements, expected " + std::to_string(expected.size()));
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - expected[i]) <= tolerance * std::max(scale, std::fabs(expected[i]))))
      throw Error(what + ": element " + std::to_string(i) + " of the sample is " + std::to_string(got[i]) + ", expected " +
                  std::to_string(expected[i]));
}

std::vector<std::pair<i64, i64>> spots(i64 extent, i64 length) {
  std::vector<std::pair<i64, i64>> r;
  for (i64 from : {i64{0}, (extent - length) / 2, extent - length})
    r.emplace_back(std::max<i64>(from, 0), std::min(std::max<i64>(from, 0) + length, extent));
  return r;
}

} // namespace tegula::bench
