// What tests of library kernels share: reproducible numbers, and a comparison with a plain loop.
#pragma once
#include "test/support/TestDevice.h"

#include "tegula/tegula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace tegula {

/// Between -1 and 1, the same in every run.
template <class T = f32> std::vector<T> numbers(i64 count, std::uint32_t seed) {
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (T& number : numbers) {
    seed = seed * 1664525u + 1013904223u;
    number = T(static_cast<float>(seed >> 8) * 0x1p-23f - 1.0f);
  }
  return numbers;
}

template <class T, int R> Tensor<T, R> tensor(Extents<R> extents, const std::vector<T>& elements) {
  return Tensor<T, R>::from_host(test::test_device(), extents, elements);
}
template <class T, int R> Tensor<T, R> zeros(Extents<R> extents) { return Tensor<T, R>::zeros(test::test_device(), extents); }

/// `expected(i)` is element i of the result, in row-major order.
template <class T, class F> void expect_elements(const std::vector<T>& result, F expected, double tolerance = 0) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double wanted = static_cast<double>(expected(static_cast<i64>(i)));
    ASSERT_NEAR(static_cast<double>(result[i]), wanted, tolerance * std::fmax(1.0, std::fabs(wanted))) << "element " << i;
  }
}

} // namespace tegula
