#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = each row of x, divided by the root of the mean of its squares, times the weights.
// A tile holds whole rows: N is at least their length. Computed in f32.
template <class T, int Rows, int N> void rms_norm(Out<T, Rows, N> y, In<T, Rows, N> x, In<T, N> weight, Scalar<f32> epsilon) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "x and y have the same extents");
  expects(y.extent(1) <= N, "a tile holds whole rows");
  expects(weight.extent(0) == y.extent(1), "there is one weight per column");
  auto row = cast<f32>(x[y]);
  auto mean = sum<1>(row * row) / cast<f32>(x.extent(1));
  y.store(cast<T>(row * rsqrt(mean + epsilon) * cast<f32>(weight(y.col()))));
}

} // namespace tegula::kernels
