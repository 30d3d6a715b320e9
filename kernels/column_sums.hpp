#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y += the sum of each column of x.
// The programs share the rows, and every one adds to all of y.
template <int Rows, int N> void column_sums(AddInto<f32, N> y, In<f32, Rows, N> x) {
  expects(y.extent(0) == x.extent(1), "there is one sum per column");
  for (auto j : range(y.count(0))) {
    auto total = zeros<f32, 1, N>();
    for (auto i : range(this_program(), x.count(0), programs()))
      total += sum<0>(x(i, j));
    y.accumulate(reshape<N>(total), j);
  }
}

} // namespace tegula::kernels
