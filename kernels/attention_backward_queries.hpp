#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// dq of attention, from d_o; and for each query the sum of d_o ⊙ o, which attention_backward_keys wants, too.
// A program takes BM queries and walks over the keys in blocks of BN; the weights are made anew from the logarithms that were kept.
template <class T, int BM, int BN, int D, bool Causal>
void attention_backward_queries(Out<T, 1, BM, D> dq, Out<f32, 1, BM, 1> delta, In<T, 1, BM, D> d_o, In<T, 1, BM, D> o,
                                In<f32, 1, BM, 1> logarithm, In<T, 1, BM, D> q, In<T, 1, BN, D> k, In<T, 1, BN, D> v,
                                Scalar<f32> scale) {
  expects(q.extent(0) == dq.extent(0) && k.extent(0) == dq.extent(0) && v.extent(0) == dq.extent(0),
          "there are as many heads everywhere");
  expects(q.extent(2) == dq.extent(2) && k.extent(2) == dq.extent(2) && v.extent(2) == dq.extent(2), "all heads have one width");
  expects(q.extent(1) == dq.extent(1) && k.extent(1) == v.extent(1), "there is one row of dq per query, and one value per key");
  expects(o.extent(0) == dq.extent(0) && o.extent(1) == dq.extent(1) && o.extent(2) == dq.extent(2),
          "o and dq have the same extents");
  expects(d_o.extent(0) == dq.extent(0) && d_o.extent(1) == dq.extent(1) && d_o.extent(2) == dq.extent(2),
          "d_o and dq have the same extents");
  expects(logarithm.extent(0) == dq.extent(0) && logarithm.extent(1) == dq.extent(1) && logarithm.extent(2) == 1,
          "there is one logarithm per query");
  expects(delta.extent(0) == dq.extent(0) && delta.extent(1) == dq.extent(1) && delta.extent(2) == 1,
          "there is one delta per query");
  expects(dq.extent(2) <= D, "a tile holds the width of a head");
  auto head = dq.at(0), block = dq.at(1), all = dq.at(2); // `all`: the one tile along the width
  auto queries = q[dq], gradient = d_o[dq];
  auto sums = sum<2>(cast<f32>(gradient) * cast<f32>(o[dq]));
  auto query = block * BM + iota<i64, 1, BM, 1>(1);

  auto total = zeros<f32, 1, BM, D>();
  auto blocks = k.count(1);
  if constexpr (Causal)
    blocks = minimum(blocks, ((block + 1) * BM + (BN - 1)) / BN);
  for (auto j : range(0, blocks)) {
    auto keys = k(head, j, all);
    auto key = j * BN + iota<i64, 1, 1, BN>(2);
    auto visible = key < k.extent(1) && (!Causal || key <= query);
    auto scores = mma(queries, transpose(keys), zeros<f32, 1, BM, BN>()) * scale;
    auto p = select(visible, exp(scores - logarithm[delta]), 0);
    auto dp = mma(gradient, transpose(v(head, j, all)), zeros<f32, 1, BM, BN>());
    total = mma(cast<T>(p * (dp - sums)), keys, total);
  }
  dq.store(cast<T>(total * scale));
  delta.store(sums);
}

} // namespace tegula::kernels
