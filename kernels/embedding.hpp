#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y[t, :] = table[tokens[t], :].
// The tokens are certified to be below a bound; that the table has so many rows is checked once, when the kernel is launched.
template <class T, class I, int N, int D> void embedding(Out<T, N, D> y, In<T, 1, D> table, Index<I, N> tokens) {
  expects(tokens.extent(0) == y.extent(0), "y has a row for each token");
  expects(table.extent(1) == y.extent(1), "y has as many columns as the table");
  y.store(gather<0>(table, tokens(y.row()), y.col()));
}

} // namespace tegula::kernels
