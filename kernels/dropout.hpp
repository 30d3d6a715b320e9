#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = x / (1 - p) where a random number in [0, 1) is p or more, else 0. Element e draws number e of the seed.
// So nothing but the seed need be kept: the same kernel makes dx from dy, whatever its tiles are.
template <class T, int N> void dropout(Out<T, N> y, In<T, N> x, Scalar<f32> p, Scalar<i64> seed) {
  expects(x.extent(0) == y.extent(0), "x and y have one length");
  auto kept = random_uniform<N>(seed, y.at(0) * N) >= p;
  y.store(cast<T>(select(kept, cast<f32>(x[y]) / (1 - p), 0)));
}

} // namespace tegula::kernels
