/// \file
/// Arguments to try a function with.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace tegula::test {

template <class T> std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (T x : {T(0),
              Limits::denorm_min(),
              std::nextafter(Limits::min(), T(0)),
              Limits::min(),
              T(0x1p-60),
              T(0x1p-12),
              T(0.5),
              std::nextafter(T(1), T(0)),
              T(1),
              std::nextafter(T(1), T(2)),
              T(1.5),
              T(2),
              T(3),
              T(10),
              T(100),
              T(1e5),
              T(0x1p30),
              std::nextafter(T(1 / Limits::epsilon()), T(0)),
              T(1 / Limits::epsilon()),
              T(2 / Limits::epsilon()),
              Limits::max(),
              Limits::infinity(),
              Limits::quiet_NaN()})
    values.insert(values.end(), {x, -x});
  return values;
}

/// Random ones, the same in every run.
template <class T> class Arguments {
public:
  /// Any number at all, NaN and infinity among them.
  T any() { return std::bit_cast<T>(static_cast<Bits>(random_())); }
  T within(double low, double high) { return static_cast<T>(std::uniform_real_distribution<double>(low, high)(random_)); }
  T near_one() { return 1 + std::numeric_limits<T>::epsilon() * within(-1000, 1000); }
  T integer(int limit) { return static_cast<T>(std::uniform_int_distribution<int>(-limit, limit)(random_)); }

private:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::mt19937_64 random_{1};
};

} // namespace tegula::test
