// Products of many rows of activations with a weight matrix [out, in], which is passed as its transposed view, [in, out]: a tile of
// it is then an operand as it lies in memory, and runs ahead of the loop. Sums are f32.
#pragma once
#include "tegula/kernel.hpp"

namespace tegula::llm::qwen3 {

/// A tile of x · w.
template <class T, int BM, int BN, int BK>
Tile<f32, BM, BN> product(const In<T, BM, BK>& x, const In<T, BK, BN>& w, const Int& row, const Int& col) {
  auto sums = zeros<f32, BM, BN>();
  for (auto k : x.cols())
    sums = mma(x(row, k), w(k, col), sums);
  return sums;
}

template <class Y, class T, int BM, int BN, int BK>
void expects_product(const Y& y, const In<T, BM, BK>& x, const In<T, BK, BN>& w) {
  expects(y.extent(0) == x.extent(0) && y.extent(1) == w.extent(1), "y has the rows of x and the columns of w");
  expects(x.extent(1) == w.extent(0), "x has as many columns as w has rows");
}

// y = x · w. QKV with R = T, the logits with R = f32.
template <class T, class R, int BM, int BN, int BK> void linear(Out<R, BM, BN> y, In<T, BM, BK> x, In<T, BK, BN> w) {
  expects_product(y, x, w);
  y.store(cast<R>(product(x, w, y.row(), y.col())));
}

// y += x · w, in place: the output projection and the down projection, with their residual.
template <class T, int BM, int BN, int BK> void linear_add(InOut<T, BM, BN> y, In<T, BM, BK> x, In<T, BK, BN> w) {
  expects_product(y, x, w);
  auto sum = product(x, w, y.row(), y.col()); // first: what is there would be held in registers meanwhile
  y.store(cast<T>(cast<f32>(y.load()) + sum));
}

// h = silu(x · gate) ⊙ (x · up). The two products share the tiles of x.
template <class T, int BM, int BN, int BK>
void linear_gate_up(Out<T, BM, BN> h, In<T, BM, BK> x, In<T, BK, BN> gate, In<T, BK, BN> up) {
  expects_product(h, x, gate);
  expects_product(h, x, up);
  auto gates = zeros<f32, BM, BN>(), ups = zeros<f32, BM, BN>();
  for (auto k : x.cols()) {
    auto part = x(h.row(), k);
    gates = mma(part, gate(k, h.col()), gates);
    ups = mma(part, up(k, h.col()), ups);
  }
  h.store(cast<T>(gates * sigmoid(gates) * ups));
}

} // namespace tegula::llm::qwen3
