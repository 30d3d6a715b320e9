// Attention of one new token of each sequence of a batch to all tokens before it and to itself, in S splits of its pages: one
// sequence alone is too few programs for a GPU. merge_append.hpp makes one of the splits.
#pragma once
#include "llm/models/qwen3/kernels/heads.hpp"
#include "llm/models/qwen3/kernels/online_softmax.hpp"
#include "llm/models/qwen3/kernels/pages.hpp"

namespace tegula::llm::qwen3 {

/// Attention of the new token to itself, which only one of the splits counts.
template <int M, class T, int P>
Attended<M, P> own_token(const Tile<bool>& counts, const Tile<f32, M, 1>& scores, const Tile<T, 1, P>& value) {
  Attended<M, P> seen;
  seen.largest = reshape<1, 1, M, 1>(select(counts, scores, no_score));
  seen.weights = full<f32, 1, 1, M, 1>(select(counts, Scalar<f32>(1), Scalar<f32>(0)));
  seen.sums = broadcast<1, 1, M, P>(reshape<1, 1, 1, P>(select(counts, cast<f32>(value), 0.0f)));
  return seen;
}

// Program (s, b, h): pages s, s + S, ... of the sequence in row b, for the G query heads of kv head h. Split 0 also takes the new
// token's key and value, which are not in the cache yet. A row without a slot computes something that nobody needs.
// M >= G rows are multiplied: tensor cores want 16. The keys are a view of the cache with its last two axes exchanged.
template <class T, int S, int M, int G, int D, int P = padded<D>>
void attend_decode(Out<f32, 1, 1, 1, M, P> sums, Out<f32, 1, 1, 1, M, 1> largest, Out<f32, 1, 1, 1, M, 1> weights,
                   In<T, 1, 1, P> qkv, In<T, P> q_weight, In<T, P> k_weight, In<f32, 1, 1, P> rotations,
                   In<T, 1, 1, P, page_tokens> keys, In<T, 1, 1, page_tokens, P> values, In<i32, 1, 1> table,
                   IndexOrNone<i32, 1> slots, In<i32, 1> positions, Scalar<f32> epsilon, Scalar<f32> scale) {
  auto rows = sums.extent(1), kv_heads = sums.extent(2);
  expects(sums.extent(0) == S && sums.extent(3) == G && sums.extent(4) == D, "splits and heads are those of the kernel");
  expects(slots.extent(0) == rows && positions.extent(0) == rows, "each row has a slot and a position");
  expects(q_weight.extent(0) == D && k_weight.extent(0) == D, "the norms are as wide as a head");
  expects_heads<G>(qkv, rows, kv_heads, D);
  expects_pages(keys, kv_heads, D, page_tokens);
  expects_pages(values, kv_heads, page_tokens, D);
  expects_table(table, slots, keys, values);
  expects_rotations(rotations, capacity_of(table), D);

  auto split = sums.at(0), row = sums.at(1), head = sums.at(2);
  auto slot = first_if_none(reshape<>(slots(row)));
  auto position = clamp(cast<i64>(reshape<>(positions(row))), 0, capacity_of(table) - 1);
  auto rotation = rotation_at(rotations, position);
  auto heads = norm_rope<D>(query_heads<G, M>(qkv, row, head), q_weight(0), rotation, epsilon);
  auto key = norm_rope<D>(key_head<G>(qkv, row, head, kv_heads), k_weight(0), rotation, epsilon);
  auto queries = reshape<1, 1, M, P>(heads);
  auto unit = scale * log2_e;
  auto own = sum<1>(cast<f32>(heads) * cast<f32>(key)) * unit;
  auto seen = own_token(split == 0, own, value_head<G>(qkv, row, head, kv_heads));
  for_pages(table, keys, slot, split, (position + (page_tokens - 1)) / page_tokens, S, [&](const Int& j, const Int& page) {
    auto scores = mma(queries, keys(page, head, 0, 0), zeros<f32, 1, 1, M, page_tokens>()) * unit;
    auto before = j * page_tokens + iota<i64, 1, 1, 1, page_tokens>(3) < position;
    seen.add(select(before, scores, -INFINITY), values(page, head, 0, 0));
  });
  sums.store(reshape<1, 1, 1, M, P>(seen.sums));
  largest.store(reshape<1, 1, 1, M, 1>(seen.largest));
  weights.store(reshape<1, 1, 1, M, 1>(seen.weights));
}

} // namespace tegula::llm::qwen3
