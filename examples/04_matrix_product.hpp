#pragma once
#include <tegula/tegula.hpp>

namespace examples {
using namespace tegula;

// C = A · B. Each program computes one BM×BN tile of C, in steps of BK along the inner axis.
template <int BM, int BN, int BK> void matrix_product(Out<f32, BM, BN> c, In<f32, BM, BK> a, In<f32, BK, BN> b) {
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), b(k, c.col()), sum);
  c.store(sum);
}

} // namespace examples
