#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::kernels {

// y = softmax of each row of x, read once and written once.
// A tile holds whole rows: N is at least their length.
template <int Rows, int N> void softmax(Out<f32, Rows, N> y, In<f32, Rows, N> x) {
  expects(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y have the same extents");
  expects(y.dim(1) <= N, "a tile holds whole rows");
  auto row = x.load(y, -INFINITY);
  auto weights = exp(row - max<1>(row));
  y.store(weights / sum<1>(weights));
}

} // namespace tegula::kernels
