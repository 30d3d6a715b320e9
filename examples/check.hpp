// What the examples share: reproducible numbers, and a comparison with what a plain loop computed.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

/// Between -1 and 1, the same in every run.
template <class T = float> std::vector<T> some_numbers(std::int64_t count, std::uint32_t seed) {
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (T& number : numbers) {
    seed = seed * 1664525u + 1013904223u;
    number = T(static_cast<float>(seed >> 8) * 0x1p-23f - 1.0f);
  }
  return numbers;
}

/// Returns the program's exit status: 0 if all elements agree within the tolerance, relative to the expected value or to 1.
template <class T, class U>
int compare(const char* what, const std::vector<T>& got, const std::vector<U>& expected, double tolerance = 0) {
  if (got.size() != expected.size()) {
    std::printf("%s: %zu elements, expected %zu\n", what, got.size(), expected.size());
    return 1;
  }
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double a = static_cast<double>(got[i]), b = static_cast<double>(expected[i]);
    const double error = std::abs(a - b) / std::fmax(1.0, std::abs(b));
    if (!(error <= tolerance)) {
      std::printf("%s: element %zu is %g, expected %g\n", what, i, a, b);
      return 1;
    }
    worst = std::fmax(worst, error);
  }
  std::printf("%s: %zu elements agree, worst error %.1e\n", what, got.size(), worst);
  return 0;
}
