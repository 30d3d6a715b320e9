#pragma once
#include "tegula/kernel.hpp"

namespace tegula::llm::qwen3 {

// y = RMSNorm of each row of x: in f32, rounded, and then times the weight. A tile holds a whole row: N is at least its length.
template <class T, int N> void rms_norm(Out<T, 1, N> y, In<T, 1, N> x, In<T, N> weight, Scalar<f32> epsilon) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "x and y have the same extents");
  expects(y.extent(1) <= N && weight.extent(0) == y.extent(1), "a tile holds a whole row, with a weight per column");
  auto row = cast<f32>(x[y]);
  auto unit = row * rsqrt(sum<1>(row * row) / cast<f32>(x.extent(1)) + epsilon);
  y.store(cast<T>(unit) * reshape<1, N>(weight(y.col())));
}

} // namespace tegula::llm::qwen3
