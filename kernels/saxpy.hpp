#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = a x + y, in place.
// Each program reads back and overwrites its own tile of y, and no other.
template <class T, int N> void saxpy(InOut<T, N> y, Scalar<T> a, In<T, N> x) {
  expects(x.extent(0) == y.extent(0), "x and y have one length");
  y.store(fma(a, x[y], y.load()));
}

} // namespace tegula::kernels
