#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// C[i] = A[i] · B[i] for each i of a batch, summed in f32.
// One program per tile of C. A matrix that all of the batch share is given as a view: b.view().broadcast<3>({batch, k, n}).
template <class T, int BM, int BN, int BK>
void matrix_product_batched(Out<f32, 1, BM, BN> c, In<T, 1, BM, BK> a, In<T, 1, BK, BN> b) {
  expects(a.extent(0) == c.extent(0) && b.extent(0) == c.extent(0), "there are as many matrices A, B and C");
  expects(a.extent(2) == b.extent(1), "A has as many columns as B has rows");
  expects(c.extent(1) == a.extent(1) && c.extent(2) == b.extent(2), "C has as many rows as A and as many columns as B");
  auto sum = zeros<f32, 1, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.at(0), c.row(), k), b(c.at(0), k, c.col()), sum);
  c.store(sum);
}

} // namespace tegula::kernels
