#include "test/support/Inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tegula::test {

Random::Random(std::string_view name) : state(14695981039346656037u) {
  for (char c : name)
    state = (state ^ static_cast<unsigned char>(c)) * 1099511628211u;
}

std::uint64_t Random::next() { // SplitMix64
  std::uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

Real Random::uniform(Real low, Real high) { return low + (high - low) * (static_cast<Real>(next() >> 11) / std::ldexp(1.0L, 53)); }

std::uint64_t encode_number(DType t, Real x) {
  if (is_float(t))
    return encode(t, x);
  if (t == DType::boolean)
    return x != 0;
  return encode_integer(t, static_cast<Whole>(x));
}

std::vector<std::uint64_t> special_values(DType t) {
  std::vector<std::uint64_t> values;
  if (t == DType::boolean)
    return {0, 1};
  if (!is_float(t)) {
    for (Whole x :
         {lowest(t), lowest(t) + 1, highest(t), highest(t) - 1, Whole{0}, Whole{1}, Whole{-1}, Whole{2}, Whole{7}, Whole{-7}})
      values.push_back(encode_integer(t, x));
    return values;
  }
  const Real infinity = std::numeric_limits<Real>::infinity(), tiny = ulp(t, 0);
  for (Real x : {0.0L, 1.0L, 0.5L, 1.5L, 2.5L, tiny, 3 * tiny, largest_finite(t), infinity})
    for (Real sign : {1.0L, -1.0L})
      values.push_back(encode(t, sign * x));
  values.push_back(encode(t, std::numeric_limits<Real>::quiet_NaN()));
  return values;
}

std::vector<std::uint64_t> random_values(DType t, Random& random, std::int64_t count, Real low, Real high) {
  if (!is_float(t)) {
    low = std::max(low, static_cast<Real>(lowest(t)));
    high = std::min(high, static_cast<Real>(highest(t)));
  }
  if (t == DType::f8e8m0) // has no sign
    low = std::max(low, 0.0L);
  std::vector<std::uint64_t> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(t == DType::boolean ? random.below(2) : encode_number(t, random.uniform(low, high)));
  return values;
}

std::vector<std::uint64_t> random_bits(DType t, Random& random, std::int64_t count) {
  std::vector<std::uint64_t> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(random.next() >> (64 - bits_of(t)));
  return values;
}

} // namespace tegula::test
