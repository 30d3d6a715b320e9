#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::kernels {

// The K largest elements of each tile of each row of x, largest first, and their columns: equal ones in order, NaN as the largest.
// Many programs share a long row; topk_final chooses among what they found.
template <class T, int K, int N> void topk_partial(Out<T, 1, K> largest, Out<i32, 1, K> columns, In<T, 1, N> x) {
  expects(largest.extent(0) == x.extent(0) && columns.extent(0) == x.extent(0), "the results have as many rows as x");
  expects(largest.extent(1) == x.count(1) * K && columns.extent(1) == x.count(1) * K,
          "the results have K columns for each tile of x");
  expects(x.extent(1) < (i64{1} << 31), "the columns of x can be counted in 32 bits");
  auto [elements, positions] = topk<1, K>(x.load_or(largest.row(), largest.col(), -INFINITY));
  largest.store(elements);
  columns.store(positions + cast<i32>(columns.col() * N));
}

} // namespace tegula::kernels
