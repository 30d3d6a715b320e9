#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::kernels {

/// What some queries have seen of the keys: for each, the largest score, the sum of the weights and of the weighted values.
template <int BM, int D> struct Attended {
  Tile<f32, 1, BM, 1> largest, weights;
  Tile<f32, 1, BM, D> values;
};

/// Attention of the queries of a tile of `o`, without the division by the sum of the weights.
/// Walks over the keys in blocks of BN; when a larger score appears, what was summed is scaled down.
template <bool Causal, class T, int BM, int BN, int D> Attended<BM, D> attend(const Out<T, 1, BM, D>& o, const In<T, 1, BM, D>& q,
                                                                              const In<T, 1, BN, D>& k, const In<T, 1, BN, D>& v,
                                                                              const Scalar<f32>& scale) {
  expects(q.extent(0) == o.extent(0) && k.extent(0) == o.extent(0) && v.extent(0) == o.extent(0),
          "there are as many heads everywhere");
  expects(q.extent(2) == o.extent(2) && k.extent(2) == o.extent(2) && v.extent(2) == o.extent(2), "all heads have one width");
  expects(q.extent(1) == o.extent(1) && k.extent(1) == v.extent(1), "there is one row of o per query, and one value per key");
  expects(o.extent(2) <= D, "a tile holds the width of a head");
  auto head = o.at(0), block = o.at(1), all = o.at(2); // `all`: the one tile along the width
  auto queries = q[o];
  auto query = block * BM + iota<i64, 1, BM, 1>(1);

  auto largest = full<f32, 1, BM, 1>(-1e30); // finite: a block without a visible key must not make NaN from inf - inf
  auto weights = zeros<f32, 1, BM, 1>();
  auto values = zeros<f32, 1, BM, D>();
  auto blocks = k.count(1);
  if constexpr (Causal)
    blocks = minimum(blocks, ((block + 1) * BM + (BN - 1)) / BN);
  for (auto j : range(0, blocks)) {
    auto key = j * BN + iota<i64, 1, 1, BN>(2);
    auto visible = key < k.extent(1);
    auto scores = mma(queries, transpose(k(head, j, all)), zeros<f32, 1, BM, BN>()) * scale;
    if constexpr (Causal)
      scores = select(visible && key <= query, scores, -INFINITY);
    else
      scores = select(visible, scores, -INFINITY);

    auto largest_now = maximum(largest, max<2>(scores));
    auto p = exp(scores - largest_now);
    auto fade = exp(largest - largest_now);
    weights = weights * fade + sum<2>(p);
    values = mma(cast<T>(p), v(head, j, all), values * fade);
    largest = largest_now;
  }
  return {largest, weights, values};
}

// o = softmax(q · kᵀ · scale) · v for each head, tensors being [heads, length, width]; causal: key j counts for queries from j on.
// A program takes BM queries.
template <class T, int BM, int BN, int D, bool Causal>
void attention(Out<T, 1, BM, D> o, In<T, 1, BM, D> q, In<T, 1, BN, D> k, In<T, 1, BN, D> v, Scalar<f32> scale) {
  auto seen = attend<Causal>(o, q, k, v, scale);
  o.store(cast<T>(seen.values / seen.weights));
}

} // namespace tegula::kernels
