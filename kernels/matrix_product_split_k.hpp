#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// C += A · B where the inner axis is long and C is small: each program sums a share of the inner axis, for every tile of C.
// The shares meet in C, which every program adds to and none reads.
template <class T, int BM, int BN, int BK> void matrix_product_split_k(AddInto<f32, BM, BN> c, In<T, BM, BK> a, In<T, BK, BN> b) {
  expects(a.extent(1) == b.extent(0), "A has as many columns as B has rows");
  expects(c.extent(0) == a.extent(0) && c.extent(1) == b.extent(1), "C has as many rows as A and as many columns as B");
  for (auto i : range(c.count(0)))
    for (auto j : range(c.count(1))) {
      auto sum = zeros<f32, BM, BN>();
      for (auto k : range(this_program(), a.count(1), programs()))
        sum = mma(a(i, k), b(k, j), sum);
      c.accumulate(sum, i, j);
    }
}

} // namespace tegula::kernels
