#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = silu(x · gate) ⊙ (x · up), the gate of a feed-forward layer, with silu(t) = t / (1 + e⁻ᵗ).
// Two products share the tiles of x, and nothing but y is written.
template <class T, int BM, int BN, int BK> void silu_gate(Out<T, BM, BN> y, In<T, BM, BK> x, In<T, BK, BN> gate, In<T, BK, BN> up) {
  expects(gate.extent(0) == x.extent(1) && up.extent(0) == x.extent(1), "x has as many columns as the weights have rows");
  expects(y.extent(0) == x.extent(0), "y has as many rows as x");
  expects(gate.extent(1) == y.extent(1) && up.extent(1) == y.extent(1), "y has as many columns as the weights");
  auto g = zeros<f32, BM, BN>(), u = zeros<f32, BM, BN>();
  for (auto k : x.cols()) {
    auto part = x(y.row(), k);
    g = mma(part, gate(k, y.col()), g);
    u = mma(part, up(k, y.col()), u);
  }
  y.store(cast<T>(g * sigmoid(g) * u));
}

} // namespace tegula::kernels
