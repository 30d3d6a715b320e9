#include "test/support/Expect.h"

#include <cmath>
#include <sstream>

namespace tegula::test {

static bool same_bits(DType t, std::uint64_t actual, std::uint64_t expected, bool zeros_differ) {
  if (actual == expected)
    return true;
  if (!is_float(t))
    return false;
  Real a = decode(t, actual), b = decode(t, expected);
  return (std::isnan(a) && std::isnan(b)) || (!zeros_differ && a == 0 && b == 0);
}

bool matches(DType t, std::uint64_t actual, const Expected& expected, bool zeros_differ) {
  if (expected.exact)
    return same_bits(t, actual, expected.bits, zeros_differ);
  Real a = decode(t, actual), number = expected.number, margin = expected.error + 0.5L * ulp(t, number);
  if (std::isnan(number))
    return std::isnan(a);
  if (std::isinf(number))
    return a == number;
  // Near the end of the range the rounding may go either way.
  if (std::isinf(a))
    return std::isinf(round_to(t, number + std::copysign(margin, number))) && std::signbit(a) == std::signbit(number);
  return std::fabs(a - number) <= margin;
}

std::string show(DType t, std::uint64_t bits) {
  std::ostringstream out;
  out.precision(17);
  if (is_float(t))
    out << decode(t, bits);
  else
    out << static_cast<Real>(decode_integer(t, bits));
  out << " (0x" << std::hex << bits << ")";
  return out.str();
}

std::string show(DType t, const Expected& expected) {
  if (expected.exact)
    return show(t, expected.bits);
  std::ostringstream out;
  out.precision(17);
  out << expected.number << " ± " << expected.error;
  return out.str();
}

} // namespace tegula::test
