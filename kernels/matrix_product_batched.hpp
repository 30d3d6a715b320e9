#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// C[i] = A[i] · B[i] for each i of a batch, summed in f32.
// One program per tile of C. A matrix that all of the batch share is given as a view: b.view().broadcast<3>({batch, k, n}).
template <class T, int BM, int BN, int BK>
void matrix_product_batched(Out<f32, 1, BM, BN> c, In<T, 1, BM, BK> a, In<T, 1, BK, BN> b) {
  expects(a.dim(0) == c.dim(0) && b.dim(0) == c.dim(0), "there are as many matrices A, B and C");
  expects(a.dim(2) == b.dim(1), "A has as many columns as B has rows");
  expects(c.dim(1) == a.dim(1) && c.dim(2) == b.dim(2), "C has as many rows as A and as many columns as B");
  auto sum = zeros<f32, 1, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.at(0), c.row(), k), b(c.at(0), k, c.col()), sum);
  c.store(sum);
}

} // namespace tegula::kernels
