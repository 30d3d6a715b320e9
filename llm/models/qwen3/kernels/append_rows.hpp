#pragma once
#include "llm/models/qwen3/kernels/heads.hpp"
#include "llm/models/qwen3/kernels/pages.hpp"

namespace tegula::llm::qwen3 {

// New tokens of several sequences, a segment of rows each, that go on from a position: their queries are normed and turned, and
// keys and values go to the cache. Program (t, h): row t, and kv head h with its G query heads. places[t] is 64 · page + token of
// the page for row t, or -1 to append nothing. They are certified to be distinct: no two programs write one element.
template <class T, int M, int G, int D, int P = padded<D>>
void append_rows(Out<T, 1, 1, M, P> q, Patch<T, 1, 1, 1, P> keys, Patch<T, 1, 1, 1, P> values, In<T, 1, 1, P> qkv,
                 In<T, P> q_weight, In<T, P> k_weight, In<f32, 1, 1, P> rotations, DistinctIndexOrNone<i32, 1> places,
                 In<i32, 1> positions, Offsets<i32> segments, Scalar<f32> epsilon) {
  auto rows = q.extent(0), kv_heads = q.extent(1), most = rotations.extent(0) - 1;
  expects(q.extent(2) == G && q.extent(3) == D, "heads are those of the kernel");
  expects(segments.bound() == rows && segments.segments() >= 1, "each row is in a segment");
  expects(positions.extent(0) == segments.segments(), "each segment has a position");
  expects(places.extent(0) == rows && places.bound() <= keys.extent(0) * page_tokens, "each row has a place in the cache");
  expects(q_weight.extent(0) == D && k_weight.extent(0) == D, "the norms are as wide as a head");
  expects_heads<G>(qkv, rows, kv_heads, D);
  expects(values.extent(0) == keys.extent(0), "there are values for all keys");
  expects_pages(keys, kv_heads, page_tokens, D);
  expects_pages(values, kv_heads, page_tokens, D);
  expects_rotations(rotations, 1, D);

  auto row = q.at(0), head = q.at(1), segment = segments.find(row);
  auto start = clamp(cast<i64>(reshape<>(positions(segment))), 0, most);
  auto rotation = rotation_at(rotations, minimum(start + (row - segments.begin(segment)), most));
  q.store(reshape<1, 1, M, P>(norm_rope<D>(query_heads<G, M>(qkv, row, head), q_weight(0), rotation, epsilon)));

  auto place = cast<i64>(reshape<>(places(row)));
  if_(place >= 0, [&] {
    auto page = place / page_tokens, token = place % page_tokens;
    auto key = norm_rope<D>(key_head<G>(qkv, row, head, kv_heads), k_weight(0), rotation, epsilon);
    keys.tile(page, head, token, 0).store(reshape<1, 1, 1, P>(key));
    values.tile(page, head, token, 0).store(reshape<1, 1, 1, P>(value_head<G>(qkv, row, head, kv_heads)));
  });
}

} // namespace tegula::llm::qwen3
