#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// From dy, what layer_norm's output contributes: dx, and what is added to d_weight and d_bias. Computed in f32.
// The programs share the rows. Each sums its rows' part of the weights' gradients first, and adds it to the tensors once.
template <class T, int Rows, int N> void layer_norm_backward(OutTiles<T, Rows, N> dx, AddInto<f32, N> d_weight,
                                                             AddInto<f32, N> d_bias, In<T, Rows, N> dy, In<T, Rows, N> x,
                                                             In<T, N> weight, In<f32, Rows, 1> mean, In<f32, Rows, 1> scale) {
  expects(x.extent(0) == dx.extent(0) && x.extent(1) == dx.extent(1), "x and dx have the same extents");
  expects(dy.extent(0) == dx.extent(0) && dy.extent(1) == dx.extent(1), "dy and dx have the same extents");
  expects(dx.count(1) == 1, "a tile holds whole rows");
  expects(mean.extent(0) == dx.extent(0) && scale.extent(0) == dx.extent(0), "there is one mean and one scale per row");
  expects(mean.extent(1) == 1 && scale.extent(1) == 1, "mean and scale have one column");
  expects(weight.extent(0) == dx.extent(1), "there is one weight per column");
  expects(d_weight.extent(0) == dx.extent(1) && d_bias.extent(0) == dx.extent(1), "there is one gradient per weight and bias");
  auto n = cast<f32>(x.extent(1));
  auto weights = zeros<f32, 1, N>(), biases = zeros<f32, 1, N>();
  for (auto t : dx.my_tiles()) {
    auto factor = scale(t.row(), 0);
    auto normal = (cast<f32>(x[t]) - mean(t.row(), 0)) * factor;
    auto dy_row = cast<f32>(dy[t]), d_normal = dy_row * cast<f32>(weight(0));
    weights += sum<0>(dy_row * normal);
    biases += sum<0>(dy_row);
    auto along = sum<1>(d_normal * normal) / n, average = sum<1>(d_normal) / n; // what the variance and the mean take away
    t.store(cast<T>((d_normal - normal * along - average) * factor));
  }
  d_weight.accumulate(reshape<N>(weights), 0);
  d_bias.accumulate(reshape<N>(biases), 0);
}

} // namespace tegula::kernels
