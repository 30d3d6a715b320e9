#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::kernels {

// y = softmax of each row of x, read once and written once.
// A tile holds whole rows: N is at least their length. Computed in f32.
template <class T, int Rows, int N> void softmax(Out<T, Rows, N> y, In<T, Rows, N> x) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "x and y have the same extents");
  expects(y.extent(1) <= N, "a tile holds whole rows");
  auto row = cast<f32>(x.load_or(y, -INFINITY));
  auto weights = exp(row - max<1>(row));
  y.store(cast<T>(weights * (1.0f / sum<1>(weights)))); // one division a row
}

} // namespace tegula::kernels
