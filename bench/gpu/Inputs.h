// Tensors of normal random numbers, made on the device; and samples of tensors on the host. Zeros and ones would run faster than
// data does.
#pragma once
#include "bench/gpu/Case.h"

#include <limits>
#include <utility>

namespace tegula::bench {

template <class T, int N> void normal_vector(Out<T, N> y, Scalar<u64> seed) {
  y.store(cast<T>(random_normal<N>(seed, y.at(0) * N)));
}
template <class T, int N> void normal_matrix(Out<T, 1, N> y, Scalar<u64> seed) {
  y.store(cast<T>(random_normal<1, N>(seed, (y.row() * y.count(1) + y.col()) * N)));
}

/// Throws an Error unless their mean is about 0 and their variance about 1.
void check_normal(const std::vector<double>& numbers);

template <class T> std::vector<double> as_doubles(const std::vector<T>& elements) {
  std::vector<double> r;
  r.reserve(elements.size());
  for (const T& x : elements)
    r.push_back(static_cast<double>(static_cast<float>(x)));
  return r;
}
/// Elements of a tensor along its first axis: all of each, if it is a matrix.
template <class T, int R> std::vector<double> sample(const Tensor<T, R>& x, i64 from, i64 to) {
  return as_doubles(x.view().slice(0, from, std::min(to, x.extent(0))).to_host());
}

template <class T> Tensor<T, 1> normal(const Device& device, Extents<1> extents, u64 seed) {
  constexpr int tile = 1024;
  auto r = kernel<normal_vector<T, tile>>("normal_vector")(Tensor<T, 1>::uninit(device, extents), seed).sync();
  check_normal(sample(r, 0, 4096));
  return r;
}
template <class T> Tensor<T, 2> normal(const Device& device, Extents<2> extents, u64 seed) {
  constexpr int tile = 1024;
  auto r = kernel<normal_matrix<T, tile>>("normal_matrix")(Tensor<T, 2>::uninit(device, extents), seed).sync();
  check_normal(sample(r, 0, 1 + 4096 / extents[1]));
  return r;
}

/// In an output nothing is right yet.
template <class T> T poison_of() {
  if constexpr (std::is_integral_v<T>)
    return T(-1);
  else
    return T(std::numeric_limits<float>::quiet_NaN());
}
template <class T, int R> Tensor<T, R> poisoned(const Device& device, Extents<R> extents) {
  return Tensor<T, R>::full(device, extents, poison_of<T>());
}
template <class T> void fill_with_poison(Tensor<T, 1>& y) {
  constexpr int tile = 1024;
  const auto fill = kernel("poison", [](Out<T, tile> to, Scalar<T> x) { to.store(full<T, tile>(x)); });
  y = fill(std::move(y), poison_of<T>()).sync();
}
template <class T> void fill_with_poison(Tensor<T, 2>& y) {
  constexpr int tile = 1024;
  const auto fill = kernel("poison", [](Out<T, 1, tile> to, Scalar<T> x) { to.store(full<T, 1, tile>(x)); });
  y = fill(std::move(y), poison_of<T>()).sync();
}
/// In place, so that graphs that write the tensor stay valid; unless a launch that failed has taken it along.
template <class T, int R> void poison(const Device& device, Tensor<T, R>& y) {
  try {
    fill_with_poison(y);
  } catch (const Error&) {
    y = poisoned<T, R>(device, y.shape());
  }
}

/// Each within `tolerance` of what is expected, relative to it and to `scale`. Throws an Error that names the element.
void check_close(const std::string& what, const std::vector<double>& got, const std::vector<double>& expected, double tolerance,
                 double scale = 0);

/// Ranges at the start, in the middle and at the end of an axis.
std::vector<std::pair<i64, i64>> spots(i64 extent, i64 length);

/// Rounding of one result.
template <class T> constexpr double rounding = sizeof(T) == 4 ? 0x1p-22 : 0x1p-8;

} // namespace tegula::bench
