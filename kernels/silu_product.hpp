#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y = silu(gate) ⊙ up, element by element, with silu(t) = t / (1 + e⁻ᵗ): the gate of a feed-forward layer whose products are there.
// Computed in f32; nothing between the inputs and y is written.
template <class T, int Rows, int N> void silu_product(Out<T, Rows, N> y, In<T, Rows, N> gate, In<T, Rows, N> up) {
  expects(gate.extent(0) == y.extent(0) && up.extent(0) == y.extent(0), "gate, up and y have as many rows");
  expects(gate.extent(1) == y.extent(1) && up.extent(1) == y.extent(1), "gate, up and y have as many columns");
  auto g = cast<f32>(gate[y]);
  y.store(cast<T>(g * sigmoid(g) * cast<f32>(up[y])));
}

} // namespace tegula::kernels
