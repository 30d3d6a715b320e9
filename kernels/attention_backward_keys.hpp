#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// dk and dv of attention, from d_o, the logarithms that attention_training kept and the deltas of attention_backward_queries.
// A program takes BN keys and walks over the queries in blocks of BM. Queries outside read as zeros, and add nothing.
template <class T, int BM, int BN, int D, bool Causal>
void attention_backward_keys(Out<T, 1, BN, D> dk, Out<T, 1, BN, D> dv, In<T, 1, BM, D> d_o, In<f32, 1, BM, 1> logarithm,
                             In<f32, 1, BM, 1> delta, In<T, 1, BM, D> q, In<T, 1, BN, D> k, In<T, 1, BN, D> v, Scalar<f32> scale) {
  expects(dv.dim(0) == dk.dim(0) && dv.dim(1) == dk.dim(1) && dv.dim(2) == dk.dim(2), "dv and dk have the same extents");
  expects(k.dim(0) == dk.dim(0) && k.dim(1) == dk.dim(1) && k.dim(2) == dk.dim(2), "k and dk have the same extents");
  expects(v.dim(0) == dk.dim(0) && v.dim(1) == dk.dim(1) && v.dim(2) == dk.dim(2), "v and dk have the same extents");
  expects(q.dim(0) == dk.dim(0) && q.dim(2) == dk.dim(2), "q and dk have as many heads, of one width");
  expects(d_o.dim(0) == q.dim(0) && d_o.dim(1) == q.dim(1) && d_o.dim(2) == q.dim(2), "d_o and q have the same extents");
  expects(logarithm.dim(0) == q.dim(0) && logarithm.dim(1) == q.dim(1) && logarithm.dim(2) == 1,
          "there is one logarithm per query");
  expects(delta.dim(0) == q.dim(0) && delta.dim(1) == q.dim(1) && delta.dim(2) == 1, "there is one delta per query");
  expects(dk.dim(2) <= D, "a tile holds the width of a head");
  auto head = dk.at(0), block = dk.at(1), all = dk.at(2); // `all`: the one tile along the width
  auto keys = k[dk], values = v[dk];
  auto key = block * BN + iota<i64, 1, BN, 1>(1);

  auto keys_total = zeros<f32, 1, BN, D>(), values_total = zeros<f32, 1, BN, D>();
  Int first = 0;
  if constexpr (Causal)
    first = block * BN / BM; // earlier queries do not see these keys
  for (auto i : range(first, q.count(1))) {
    auto queries = q(head, i, all), gradient = d_o(head, i, all);
    auto query = i * BM + iota<i64, 1, 1, BM>(2);
    auto scores = mma(keys, transpose(queries), zeros<f32, 1, BN, BM>()) * scale; // a column for each query
    auto p = select(!Causal || key <= query, exp(scores - transpose(logarithm(head, i, 0))), 0);
    auto dp = mma(values, transpose(gradient), zeros<f32, 1, BN, BM>());
    values_total = mma(cast<T>(p), gradient, values_total);
    keys_total = mma(cast<T>(p * (dp - transpose(delta(head, i, 0)))), queries, keys_total);
  }
  dk.store(cast<T>(keys_total * scale));
  dv.store(cast<T>(values_total));
}

} // namespace tegula::kernels
