#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = xᵀ.
// Tile (i, j) of y comes from tile (j, i) of x.
template <class T, int BM, int BN> void transpose(Out<T, BM, BN> y, In<T, BN, BM> x) {
  expects(x.extent(0) == y.extent(1) && x.extent(1) == y.extent(0),
          "y has as many rows as x has columns, and as many columns as x has rows");
  y.store(tegula::transpose(x(y.col(), y.row())));
}

} // namespace tegula::kernels
