#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::kernels {

// The largest element of each tile of each row of x, and its column: the first of equal ones, the first NaN if there is one.
// Many programs share a long row; argmax_final finds the largest of what they found.
template <class T, int N> void argmax_partial(Out<T, 1, 1> largest, Out<i32, 1, 1> column, In<T, 1, N> x) {
  expects(largest.extent(0) == x.extent(0) && column.extent(0) == x.extent(0), "the results have as many rows as x");
  expects(largest.extent(1) == x.count(1) && column.extent(1) == x.count(1),
          "the results have a column for each tile of a row of x");
  expects(x.extent(1) < (i64{1} << 31), "the columns of x can be counted in 32 bits");
  auto part = x.load_or(largest.row(), largest.col(), -INFINITY);
  largest.store(max<1>(part));
  column.store(argmax<1>(part) + cast<i32>(column.col() * N));
}

} // namespace tegula::kernels
