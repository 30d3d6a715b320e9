#pragma once
#include "attention.hpp"

namespace tegula::kernels {

// attention, which also keeps the logarithm of each query's sum of exp(score): what the backward pass makes the weights from.
// The logarithms are [heads, length, 1].
template <class T, int BM, int BN, int D, bool Causal> void attention_training(Out<T, 1, BM, D> o, Out<f32, 1, BM, 1> logarithm,
                                                                               In<T, 1, BM, D> q, In<T, 1, BN, D> k,
                                                                               In<T, 1, BN, D> v, Scalar<f32> scale) {
  expects(logarithm.extent(0) == o.extent(0) && logarithm.extent(1) == o.extent(1) && logarithm.extent(2) == 1,
          "there is one logarithm per query");
  auto seen = attend<Causal>(o, q, k, v, scale);
  o.store(cast<T>(seen.values / seen.weights));
  logarithm.store(seen.largest + log(seen.weights));
}

} // namespace tegula::kernels
