/// \file
/// Arguments to try a function with.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
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
  T any() { return std::bit_cast<T>(static_cast<Bits>(next())); }
  T within(double low, double high) { return static_cast<T>(low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53); }
  T near_one() { return 1 + std::numeric_limits<T>::epsilon() * within(-1000, 1000); }
  T integer(int limit) { return static_cast<T>(static_cast<int>(next() % (2 * static_cast<unsigned>(limit) + 1)) - limit); }

private:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  /// A counter whose bits are mixed.
  std::uint64_t next() {
    std::uint64_t x = (count_ += 0x9e3779b97f4a7c15);
    x = (x ^ x >> 31) * 0xd6e8feb86659fd93;
    x = (x ^ x >> 29) * 0xd6e8feb86659fd93;
    return x ^ x >> 32;
  }
  std::uint64_t count_ = 0;
};

} // namespace tegula::test
