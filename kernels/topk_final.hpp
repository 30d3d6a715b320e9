#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::kernels {

// Of each row, the K largest elements and their columns, from what topk_partial found in its parts.
// A tile holds all that was found in a row: P is at least its size. A row has K elements or more, so none that was padded is
// chosen.
template <class T, int K, int P>
void topk_final(Out<T, 1, K> largest, Out<i32, 1, K> columns, In<T, 1, P> found, In<i32, 1, P> found_at) {
  expects(largest.extent(0) == found.extent(0) && columns.extent(0) == found.extent(0), "there is one row of results per row");
  expects(found_at.extent(0) == found.extent(0) && found_at.extent(1) == found.extent(1),
          "each element that was found has a column");
  expects(largest.extent(1) == K && columns.extent(1) == K, "the results have K columns");
  expects(found.extent(1) >= K && found.extent(1) <= P, "a tile holds all that was found in a row");
  auto [elements, positions] = topk<1, K>(found.load_or(largest.row(), 0, -INFINITY));
  largest.store(elements);
  columns.store(gather<1>(found_at, reshape<K>(positions), columns.row(), or_padding));
}

} // namespace tegula::kernels
