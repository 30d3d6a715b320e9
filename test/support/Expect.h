// Comparing tensors with what a reference computed.
#pragma once
#include "test/support/Tensor.h"

#include <string>
#include <vector>

namespace tegula::test {

/// What a reference says of one element: its bits, or a number and how far off a result may be.
struct Expected {
  std::uint64_t bits = 0;
  bool exact = true;
  Real number = 0, error = 0;

  static Expected of_bits(std::uint64_t bits) { return {bits, true, 0, 0}; }
  /// A number that need not be one of the type's. Half a unit in the last place for rounding is always allowed.
  static Expected about(Real number, Real error) { return {0, false, number, error}; }
};

/// Every NaN is equal to every NaN. `zeros_differ` tells -0 from +0.
bool matches(DType, std::uint64_t actual, const Expected&, bool zeros_differ = true);
std::string show(DType, std::uint64_t bits);
std::string show(DType, const Expected&);

} // namespace tegula::test
