#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// dk and dv of attention, from d_o, the logarithms that attention_training kept and the deltas of attention_backward_queries.
// A program takes BN keys and walks over the queries in blocks of BM. Queries outside read as zeros, and add nothing.
template <class T, int BM, int BN, int D, bool Causal>
void attention_backward_keys(Out<T, 1, BN, D> dk, Out<T, 1, BN, D> dv, In<T, 1, BM, D> d_o, In<f32, 1, BM, 1> logarithm,
                             In<f32, 1, BM, 1> delta, In<T, 1, BM, D> q, In<T, 1, BN, D> k, In<T, 1, BN, D> v, Scalar<f32> scale) {
  expects(dv.extent(0) == dk.extent(0) && dv.extent(1) == dk.extent(1) && dv.extent(2) == dk.extent(2),
          "dv and dk have the same extents");
  expects(k.extent(0) == dk.extent(0) && k.extent(1) == dk.extent(1) && k.extent(2) == dk.extent(2),
          "k and dk have the same extents");
  expects(v.extent(0) == dk.extent(0) && v.extent(1) == dk.extent(1) && v.extent(2) == dk.extent(2),
          "v and dk have the same extents");
  expects(q.extent(0) == dk.extent(0) && q.extent(2) == dk.extent(2), "q and dk have as many heads, of one width");
  expects(d_o.extent(0) == q.extent(0) && d_o.extent(1) == q.extent(1) && d_o.extent(2) == q.extent(2),
          "d_o and q have the same extents");
  expects(logarithm.extent(0) == q.extent(0) && logarithm.extent(1) == q.extent(1) && logarithm.extent(2) == 1,
          "there is one logarithm per query");
  expects(delta.extent(0) == q.extent(0) && delta.extent(1) == q.extent(1) && delta.extent(2) == 1, "there is one delta per query");
  expects(dk.extent(2) <= D, "a tile holds the width of a head");
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
