#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// The mean and the variance of each row of x, however long the rows are.
// A program walks over some rows tile by tile; the two outputs have one column.
template <int Rows, int N> void row_statistics(Out<f32, Rows, 1> mean, Out<f32, Rows, 1> variance, In<f32, Rows, N> x) {
  expects(mean.extent(0) == x.extent(0) && mean.extent(1) == 1, "the mean has a row for each row of x, and one column");
  expects(variance.extent(0) == x.extent(0) && variance.extent(1) == 1, "the variance has a row for each row of x, and one column");
  auto total = zeros<f32, Rows, 1>(), squares = zeros<f32, Rows, 1>();
  for (auto j : x.cols()) {
    auto part = x(mean.row(), j);
    total += sum<1>(part);
    squares += sum<1>(part * part);
  }
  auto n = cast<f32>(x.extent(1));
  mean.store(total / n);
  variance.store(squares / n - (total / n) * (total / n));
}

} // namespace tegula::kernels
