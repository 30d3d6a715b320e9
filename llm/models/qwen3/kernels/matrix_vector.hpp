// One row of activations times a weight matrix [out, in]. Bound by memory: every weight is read once, and products stay in the
// threads that loaded the weights until the end of the row.
#pragma once
#include "llm/models/qwen3/kernels/walk.hpp"

namespace tegula::llm::qwen3 {

/// What a walk sums for an RMSNorm that is fused into it. Every sum is linear in 1/rms, so that factor comes last, and the row is
/// read only once; nothing is rounded in between.
template <int N> struct NormedRow {
  Tile<f32, 1, N> squares = zeros<f32, 1, N>();

  /// x ⊙ weight, still to be divided by the root mean square.
  template <class T> Tile<f32, 1, N> take(const Tile<T, 1, N>& x, const Tile<T, N>& weight) {
    auto part = cast<f32>(x);
    squares = fma(part, part, squares);
    return part * reshape<1, N>(cast<f32>(weight));
  }
  Tile<f32, 1, 1> scale(const Int& length, const Scalar<f32>& epsilon) const {
    return rsqrt(sum<1>(squares) / cast<f32>(length) + epsilon);
  }
};

/// The sums of rows, as a piece of the result.
template <int Rows, int N> Tile<f32, 1, Rows> row_sums(const Tile<f32, Rows, N>& products) {
  return reshape<1, Rows>(sum<1>(products));
}

// y = W · RMSNorm(x), for each row of x. QKV with R = T, the logits with R = f32.
template <class T, class R, int Rows, int N, int Columns = any_length>
void norm_matrix_vector(Out<R, 1, Rows> y, In<T, Rows, N> w, In<T, 1, N> x, In<T, N> weight, Scalar<f32> epsilon) {
  expects(x.extent(0) == y.extent(0), "y has as many rows as x");
  expects(w.extent(0) == y.extent(1), "y has a column for each row of W");
  expects(w.extent(1) == x.extent(1) && weight.extent(0) == x.extent(1),
          "x has a column for each column of W, and so has its norm");
  auto sums = zeros<f32, Rows, N>();
  NormedRow<N> norm;
  walk_rows<Columns>(
      y.col(), [&](const Int& j, const auto& tile) { sums = fma(cast<f32>(tile), norm.take(x(y.row(), j), weight(j)), sums); }, w);
  y.store(cast<R>(row_sums(sums) * norm.scale(x.extent(1), epsilon)));
}

// h = silu(W_gate · n) ⊙ (W_up · n) with n = RMSNorm(x), for each row of x.
template <class T, int Rows, int N, int Columns = any_length>
void norm_gate_up(Out<T, 1, Rows> h, In<T, Rows, N> gate, In<T, Rows, N> up, In<T, 1, N> x, In<T, N> weight, Scalar<f32> epsilon) {
  expects(x.extent(0) == h.extent(0), "h has as many rows as x");
  expects(gate.extent(0) == h.extent(1) && up.extent(0) == h.extent(1), "h has a column for each row of the weights");
  expects(gate.extent(1) == x.extent(1) && up.extent(1) == x.extent(1) && weight.extent(0) == x.extent(1),
          "x has a column for each column of the weights, and so has its norm");
  auto gates = zeros<f32, Rows, N>(), ups = zeros<f32, Rows, N>();
  NormedRow<N> norm;
  walk_rows<Columns>(
      h.col(),
      [&](const Int& j, const auto& g, const auto& u) {
        auto n = norm.take(x(h.row(), j), weight(j));
        gates = fma(cast<f32>(g), n, gates);
        ups = fma(cast<f32>(u), n, ups);
      },
      gate, up);
  auto scale = norm.scale(x.extent(1), epsilon);
  auto g = row_sums(gates) * scale;
  h.store(cast<T>(g * sigmoid(g) * (row_sums(ups) * scale)));
}

// x += W · a, in place, for each row of a: the output projection and the down projection, with their residual.
template <class T, int Rows, int N, int Columns = any_length>
void matrix_vector_add(InOut<T, 1, Rows> x, In<T, Rows, N> w, In<T, 1, N> a) {
  expects(a.extent(0) == x.extent(0), "x has as many rows as a");
  expects(w.extent(0) == x.extent(1), "x has a column for each row of W");
  expects(w.extent(1) == a.extent(1), "a has a column for each column of W");
  auto sums = zeros<f32, Rows, N>();
  walk_rows<Columns>(
      x.col(), [&](const Int& j, const auto& tile) { sums = fma(cast<f32>(tile), cast<f32>(a(x.row(), j)), sums); }, w);
  x.store(cast<T>(cast<f32>(x.load()) + row_sums(sums)));
}

} // namespace tegula::llm::qwen3
