// What the QKV projection leaves, [rows, heads, width]: of each row first the query heads, G for each kv head, then the heads of
// the keys, then those of the values.
#pragma once
#include "llm/models/qwen3/kernels/rope.hpp"

namespace tegula::llm::qwen3 {

/// The G query heads that share a kv head, in M >= G rows: what is behind them is zero.
template <int G, int M, class T, int P> Tile<T, M, P> query_heads(const In<T, 1, 1, P>& qkv, const Int& row, const Int& kv_head) {
  static_assert(M >= G, "a tile holds the query heads of a kv head");
  auto i = iota<i64, M>();
  return reshape<M, P>(gather<1>(qkv, select(i < G, kv_head * G + i, -1), row, 0));
}
template <int G, class T, int P>
Tile<T, 1, P> key_head(const In<T, 1, 1, P>& qkv, const Int& row, const Int& kv_head, const Int& kv_heads) {
  return reshape<1, P>(qkv(row, kv_heads * G + kv_head, 0));
}
template <int G, class T, int P>
Tile<T, 1, P> value_head(const In<T, 1, 1, P>& qkv, const Int& row, const Int& kv_head, const Int& kv_heads) {
  return reshape<1, P>(qkv(row, kv_heads * (G + 1) + kv_head, 0));
}

template <int G, class T, int P> void expects_heads(const In<T, 1, 1, P>& qkv, const Int& rows, const Int& kv_heads, int width) {
  expects(qkv.extent(0) == rows, "each row has heads");
  expects(qkv.extent(1) == kv_heads * (G + 2) && qkv.extent(2) == width, "a row has the heads of queries, keys and values");
}

} // namespace tegula::llm::qwen3
