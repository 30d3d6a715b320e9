#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = xᵀ.
// Tile (i, j) of y comes from tile (j, i) of x.
template <class T, int BM, int BN> void transpose(Out<T, BM, BN> y, In<T, BN, BM> x) {
  expects(x.dim(0) == y.dim(1) && x.dim(1) == y.dim(0), "y has as many rows as x has columns, and as many columns as x has rows");
  y.store(tegula::transpose(x(y.col(), y.row())));
}

} // namespace tegula::kernels
