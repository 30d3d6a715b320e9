#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// c = a + b, element by element.
// One program per tile of c.
template <class T, int N> void add(Out<T, N> c, In<T, N> a, In<T, N> b) {
  expects(a.extent(0) == c.extent(0) && b.extent(0) == c.extent(0), "a, b and c have one length");
  c.store(a[c] + b[c]);
}

} // namespace tegula::kernels
