#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// C = A · B by as many programs as there are cores, in an order that is kind to caches.
// Tiles are visited in groups of Rows rows, within a group column by column: what is read of A and B is read again soon.
template <class T, int BM, int BN, int BK, int Rows = 8>
void matrix_product_grouped(OutTiles<f32, BM, BN> c, In<T, BM, BK> a, In<T, BK, BN> b) {
  expects(a.extent(1) == b.extent(0), "A has as many columns as B has rows");
  expects(c.extent(0) == a.extent(0) && c.extent(1) == b.extent(1), "C has as many rows as A and as many columns as B");
  for (auto t : c.my_tiles(grouped(Rows))) {
    auto sum = zeros<f32, BM, BN>();
    for (auto k : a.cols())
      sum = mma(a(t.row(), k), b(k, t.col()), sum);
    t.store(sum);
  }
}

} // namespace tegula::kernels
