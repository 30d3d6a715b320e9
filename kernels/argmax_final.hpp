#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::kernels {

// Of each row, the column of the largest element, from what argmax_partial found in its parts.
// A tile holds all parts of a row: P is at least their number.
template <class T, int P> void argmax_final(Out<i32, 1, 1> column, In<T, 1, P> largest, In<i32, 1, P> columns) {
  expects(largest.extent(0) == column.extent(0) && columns.extent(0) == column.extent(0), "there is one result per row");
  expects(largest.extent(1) == columns.extent(1), "each part has a column");
  expects(largest.extent(1) >= 1 && largest.extent(1) <= P, "a tile holds all parts of a row");
  auto best = argmax<1>(largest.load_or(column.row(), 0, -INFINITY));
  column.store(sum<1>(select(iota<1, P>(1) == best, columns(column.row(), 0), 0)));
}

} // namespace tegula::kernels
