// Kernels of the language, run from end to end and compared with plain C++ loops.
#pragma once
#include "test/support/TestDevice.h"

#include "tegula/tegula.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace tegula::test {

template <class T> using Host = std::vector<HostElement<T>>;

/// Runs F on whole tiles of one-dimensional tensors, which need not end where a tile does, and returns the elements of the result.
template <class U, int N = 16, class F, class... T> Host<U> each(F, const std::vector<T>&... elements) {
  const Device device = test_device();
  const i64 sizes[] = {static_cast<i64>(elements.size())...};
  auto k = kernel("each", [](Out<U, N> y, In<T, N>... x) { y.store(F{}(x[y]...)); });
  auto inputs = std::tuple{Tensor<T, 1>::from_host(device, {static_cast<i64>(elements.size())}, elements)...};
  auto y = Tensor<U, 1>::uninit(device, {sizes[0]});
  return std::apply([&](const auto&... x) { return k(std::move(y), x...).sync().to_host(); }, inputs);
}

/// Runs F once, on one tile that is a whole tensor of the shape D, and returns the elements of the result, of the shape E.
template <int... D> struct From {
  template <class U, int... E> struct To {
    template <class T, class F> static Host<U> run(F, const std::vector<T>& elements) {
      const Device device = test_device();
      auto k = kernel("whole", [](Out<U, E...> y, In<T, D...> x) { y.store(F{}(x((void(D), 0)...))); });
      auto x = Tensor<T, sizeof...(D)>::from_host(device, {D...}, elements);
      auto y = Tensor<U, sizeof...(E)>::uninit(device, {E...});
      return k(std::move(y), x).sync().to_host();
    }
  };
};

template <class T, class... A> auto map(T f, const std::vector<A>&... a) {
  const std::size_t n = std::get<0>(std::tuple{a.size()...});
  using R = decltype(f(a[0]...));
  std::vector<HostElement<R>> r;
  for (std::size_t i = 0; i < n; ++i)
    r.push_back(f(a[i]...));
  return r;
}

template <class T> double number(T x) { return static_cast<double>(x); }

/// Equal in every bit, except that any NaN equals any other.
template <class T> void expect_same(const std::vector<T>& got, const std::vector<T>& want) {
  ASSERT_EQ(got.size(), want.size());
  int shown = 0;
  for (std::size_t i = 0; i < got.size() && shown < 8; ++i) {
    if (got[i] != got[i] && want[i] != want[i])
      continue;
    if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0) {
      ++shown;
      ADD_FAILURE() << "element " << i << ": " << +got[i] << ", expected " << +want[i];
    }
  }
}

template <class T> constexpr int mantissa_bits = std::is_same_v<T, f64>   ? 52
                                                 : std::is_same_v<T, f32> ? 23
                                                 : std::is_same_v<T, f16> ? 10
                                                                          : 7;
template <class T> constexpr int lowest_exponent = std::is_same_v<T, f64> ? -1022 : std::is_same_v<T, f16> ? -14 : -126;
template <class T> double ulp(double x) {
  return std::ldexp(1.0, (x == 0 ? lowest_exponent<T> : std::max(std::ilogb(x), lowest_exponent<T>)) - mantissa_bits<T>);
}

/// Within so many units in the last place, narrow types within rounding; what is too large for T is infinite.
template <class T> void expect_close(const std::vector<T>& got, const std::vector<double>& want, double ulps) {
  if (sizeof(T) == 2)
    ulps = std::min(ulps, 0.51);
  ASSERT_EQ(got.size(), want.size());
  int shown = 0;
  for (std::size_t i = 0; i < got.size() && shown < 8; ++i) {
    const double g = number(got[i]), w = number(static_cast<T>(want[i]));
    const bool right = std::isnan(w) ? std::isnan(g) : std::isinf(w) ? g == w : std::abs(g - want[i]) <= ulps * ulp<T>(want[i]);
    if (!right) {
      ++shown;
      ADD_FAILURE() << "element " << i << ": " << g << ", expected " << want[i];
    }
  }
}

/// Within an absolute distance.
template <class T> void expect_near(const std::vector<T>& got, const std::vector<double>& want, double distance) {
  ASSERT_EQ(got.size(), want.size());
  int shown = 0;
  for (std::size_t i = 0; i < got.size() && shown < 8; ++i)
    if (!(std::abs(number(got[i]) - want[i]) <= distance)) {
      ++shown;
      ADD_FAILURE() << "element " << i << ": " << number(got[i]) << ", expected " << want[i];
    }
}

/// n integers from lo to hi, the same at every call with the same seed.
template <class T> Host<T> some(i64 n, int lo, int hi, u32 seed = 1) {
  Host<T> r;
  u32 state = seed * 2654435761u + 12345u;
  for (i64 i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    const int number = lo + static_cast<int>((state >> 8) % static_cast<u32>(hi - lo + 1));
    if constexpr (std::is_integral_v<HostElement<T>>)
      r.push_back(static_cast<HostElement<T>>(number)); // negative ones wrap
    else
      r.push_back(static_cast<HostElement<T>>(static_cast<float>(number)));
  }
  return r;
}
template <class T> std::vector<T> list(std::initializer_list<double> numbers) {
  std::vector<T> r;
  for (double x : numbers)
    r.push_back(static_cast<T>(x));
  return r;
}

template <class E, class Action> std::string message_of(const Action& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}

} // namespace tegula::test
