#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// C = A · B, summed in f32.
// One program per BM×BN tile of C, in steps of BK along the inner axis.
template <class T, int BM, int BN, int BK> void matrix_product(Out<f32, BM, BN> c, In<T, BM, BK> a, In<T, BK, BN> b) {
  expects(a.extent(1) == b.extent(0), "A has as many columns as B has rows");
  expects(c.extent(0) == a.extent(0) && c.extent(1) == b.extent(1), "C has as many rows as A and as many columns as B");
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), b(k, c.col()), sum);
  c.store(sum);
}

} // namespace tegula::kernels
