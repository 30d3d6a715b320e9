#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = x.
// One program per tile of y: what memory can do.
template <class T, int N> void copy(Out<T, N> y, In<T, N> x) {
  expects(x.dim(0) == y.dim(0), "x and y have one length");
  y.store(x[y]);
}

} // namespace tegula::kernels
