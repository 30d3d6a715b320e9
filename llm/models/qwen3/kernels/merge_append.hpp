// What the splits of attend_decode found, made one; and the new token's key and value, put where the next token will look for them.
#pragma once
#include "llm/models/qwen3/kernels/heads.hpp"
#include "llm/models/qwen3/kernels/online_softmax.hpp"
#include "llm/models/qwen3/kernels/pages.hpp"

namespace tegula::llm::qwen3 {

/// The result of one query head. A split that saw nothing has weight 0. L >= S is a power of two.
template <int L, int P> Tile<f32, 1, P> merged(const In<f32, L, 1, 1, 1, P>& sums, const In<f32, L, 1, 1, 1, 1>& largest,
                                               const In<f32, L, 1, 1, 1, 1>& weights, const Int& row, const Int& kv_head,
                                               const Int& query) {
  auto most = largest.load_or(0, row, kv_head, query, 0, no_score);
  auto factor = exp2(most - max<0>(most));
  auto total = sum<0>(weights(0, row, kv_head, query, 0) * factor);
  return reshape<1, P>(sum<0>(sums(0, row, kv_head, query, 0) * factor) / total);
}

// Program (b, q): query head q of row b; the first of a kv head also appends. The slots are distinct, and so are their pages: no
// two programs write one element. Rows without a slot, without a page for their position, or at capacity append nothing.
template <class T, int L, int G, int D, int P = padded<D>>
void merge_append(Out<T, 1, 1, P> o, Patch<T, 1, 1, 1, P> keys, Patch<T, 1, 1, 1, P> values, In<f32, L, 1, 1, 1, P> sums,
                  In<f32, L, 1, 1, 1, 1> largest, In<f32, L, 1, 1, 1, 1> weights, In<T, 1, 1, P> qkv, In<T, P> k_weight,
                  In<f32, 1, 1, P> rotations, DistinctIndexOrNone<i32, 1, 1> table, DistinctIndexOrNone<i32, 1> slots,
                  In<i32, 1> positions, Scalar<f32> epsilon) {
  auto rows = o.extent(0), kv_heads = sums.extent(2);
  expects(o.extent(1) == kv_heads * G && o.extent(2) == D && sums.extent(3) == G && sums.extent(4) == D,
          "heads are those of the kernel");
  expects(sums.extent(0) >= 1 && sums.extent(0) <= L, "a tile holds all splits");
  expects(sums.extent(1) == rows && slots.extent(0) == rows && positions.extent(0) == rows,
          "each row has splits, a slot and a position");
  for (int axis = 0; axis < 4; ++axis)
    expects(largest.extent(axis) == sums.extent(axis) && weights.extent(axis) == sums.extent(axis),
            "each split of a head has weights");
  expects(largest.extent(4) == 1 && weights.extent(4) == 1, "a number for each split of a head");
  expects(k_weight.extent(0) == D, "the norm is as wide as a head");
  expects_heads<G>(qkv, rows, kv_heads, D);
  expects_pages(keys, kv_heads, page_tokens, D);
  expects_pages(values, kv_heads, page_tokens, D);
  expects_table(table, slots, keys, values);
  expects(keys.extent(0) >= table.bound(), "each entry of the table is a page");
  expects_rotations(rotations, capacity_of(table), D);

  auto row = o.at(0), head = o.at(1) / G, query = o.at(1) % G;
  // In front of the store: they are on their way while the splits are merged.
  auto slot = cast<i64>(reshape<>(slots(row))), position = cast<i64>(reshape<>(positions(row)));
  o.store(cast<T>(reshape<1, 1, P>(merged(sums, largest, weights, row, head, query))));

  if_(query == 0 && slot >= 0 && position >= 0 && position < capacity_of(table), [&] {
    auto page = cast<i64>(reshape<>(table(slot, position / page_tokens))), token = position % page_tokens;
    if_(page >= 0, [&] {
      auto rotation = rotation_at(rotations, position);
      auto key = norm_rope<D>(key_head<G>(qkv, row, head, kv_heads), k_weight(0), rotation, epsilon);
      keys.tile(page, head, token, 0).store(reshape<1, 1, 1, P>(key));
      values.tile(page, head, token, 0).store(reshape<1, 1, 1, P>(value_head<G>(qkv, row, head, kv_heads)));
    });
  });
}

} // namespace tegula::llm::qwen3
