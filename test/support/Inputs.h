// Numbers to test with: the same ones in every run.
#pragma once
#include "test/support/Numbers.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tegula::test {

class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  /// A seed from a test's name.
  explicit Random(std::string_view name);
  std::uint64_t next();
  /// From 0 to n - 1.
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  Real uniform(Real low, Real high);
  template <class Container> const auto& pick(const Container& items) {
    return items[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(items))))];
  }

private:
  std::uint64_t state;
};

/// A number of a type, as its bits.
std::uint64_t encode_number(DType, Real);
/// Zeros, ones, infinities, NaN, denormals and the ends of the range.
std::vector<std::uint64_t> special_values(DType);
/// Uniform between two numbers, within the type's own range.
std::vector<std::uint64_t> random_values(DType, Random&, std::int64_t count, Real low = -8, Real high = 8);
/// Any bits that the type has, NaN among them.
std::vector<std::uint64_t> random_bits(DType, Random&, std::int64_t count);

} // namespace tegula::test
