#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// c = a + b, element by element.
// One program per tile of c.
template <class T, int N> void add(Out<T, N> c, In<T, N> a, In<T, N> b) {
  expects(a.dim(0) == c.dim(0) && b.dim(0) == c.dim(0), "a, b and c have one length");
  c.store(a[c] + b[c]);
}

} // namespace tegula::kernels
