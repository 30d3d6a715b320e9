#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = each row of x, less its mean, divided by its deviation, times the weights, plus the bias; `mean` and `scale`, one over the
// deviation, are kept for the backward pass. A tile holds whole rows: N is at least their length. Computed in f32.
template <class T, int Rows, int N> void layer_norm(Out<T, Rows, N> y, Out<f32, Rows, 1> mean, Out<f32, Rows, 1> scale,
                                                    In<T, Rows, N> x, In<T, N> weight, In<T, N> bias, Scalar<f32> epsilon) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "x and y have the same extents");
  expects(y.extent(1) <= N, "a tile holds whole rows");
  expects(mean.extent(0) == y.extent(0) && scale.extent(0) == y.extent(0), "there is one mean and one scale per row");
  expects(mean.extent(1) == 1 && scale.extent(1) == 1, "mean and scale have one column");
  expects(weight.extent(0) == y.extent(1) && bias.extent(0) == y.extent(1), "there is one weight and one bias per column");
  auto row = cast<f32>(x[y]);
  auto n = cast<f32>(x.extent(1));
  auto average = sum<1>(row) / n;
  auto centred = select(iota<i64, 1, N>(1) < x.extent(1), row - average, 0); // padding has no part in the variance
  auto factor = rsqrt(sum<1>(centred * centred) / n + epsilon);
  mean.store(average);
  scale.store(factor);
  y.store(cast<T>(fma(centred * factor, cast<f32>(weight(y.col())), cast<f32>(bias(y.col())))));
}

} // namespace tegula::kernels
