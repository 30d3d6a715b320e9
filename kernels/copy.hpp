#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = x.
// One program per tile of y: what memory can do.
template <class T, int N> void copy(Out<T, N> y, In<T, N> x) {
  expects(x.extent(0) == y.extent(0), "x and y have one length");
  y.store(x[y]);
}

} // namespace tegula::kernels
