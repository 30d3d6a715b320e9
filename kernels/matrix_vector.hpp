#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = W · x, summed in f32.
// A program takes some rows of W and walks along them; products are added up where they are, and across a row once, at the end.
template <class T, int Rows, int N> void matrix_vector(Out<T, Rows> y, In<T, Rows, N> w, In<T, N> x) {
  expects(w.extent(0) == y.extent(0), "y has an element for each row of W");
  expects(w.extent(1) == x.extent(0), "x has an element for each column of W");
  auto sums = zeros<f32, Rows, N>();
  for (auto j : w.cols())
    sums = fma(cast<f32>(w(y.at(0), j)), cast<f32>(x(j)), sums);
  y.store(cast<T>(reshape<Rows>(sum<1>(sums))));
}

} // namespace tegula::kernels
