#pragma once
#include "llm/models/qwen3/kernels/heads.hpp"
#include "llm/models/qwen3/kernels/online_softmax.hpp"
#include "llm/models/qwen3/kernels/pages.hpp"

namespace tegula::llm::qwen3 {

// Causal attention of new tokens, whose keys are in the cache already, to their own sequence: o and q are [rows, heads, width], the
// rows in segments that go on from a position. Program (i, h): BM rows from BM·i on, for query head h. Segments end where they end:
// a program goes through the sequences of its rows, nearly always one, and a row sees keys of its own only.
// The keys are a view of the cache with its last two axes exchanged.
template <class T, int BM, int G, int D, int P = padded<D>>
void attend_rows(Out<T, BM, 1, P> o, In<T, BM, 1, P> q, In<T, 1, 1, P, page_tokens> keys, In<T, 1, 1, page_tokens, P> values,
                 In<i32, 1, 1> table, IndexOrNone<i32, 1> slots, In<i32, 1> positions, Offsets<i32> segments, Scalar<f32> scale) {
  expects(q.extent(0) == o.extent(0) && q.extent(1) == o.extent(1) && q.extent(2) == D && o.extent(2) == D,
          "o and q have as many rows, and heads of the width of the kernel");
  expects(o.extent(1) == keys.extent(1) * G, "there are G query heads for each kv head");
  expects(segments.bound() == o.extent(0) && segments.segments() >= 1, "each row is in a segment");
  expects(slots.extent(0) == segments.segments() && positions.extent(0) == segments.segments(),
          "each segment has a slot and a position");
  expects_pages(keys, keys.extent(1), D, page_tokens);
  expects_pages(values, keys.extent(1), page_tokens, D);
  expects_table(table, slots, keys, values);

  auto head = o.at(1) / G, first = o.at(0) * BM, end = minimum(first + BM, o.extent(0)), capacity = capacity_of(table);
  auto queries = reshape<1, 1, BM, P>(q[o]);
  auto row = first + iota<i64, 1, 1, BM, 1>(2);
  auto unit = scale * log2_e;
  Attended<BM, P> seen;
  for (auto s : range(segments.find(first), segments.find(end - 1) + 1)) {
    auto slot = first_if_none(reshape<>(slots(s)));
    auto begin = segments.begin(s), behind = segments.end(s);
    auto start = clamp(cast<i64>(reshape<>(positions(s))), 0, capacity);
    // The last of these rows sees the most keys.
    auto count = minimum(start + (minimum(behind, end) - begin), capacity);
    auto pages = select(begin < behind, (count + (page_tokens - 1)) / page_tokens, 0);
    auto last = select(row >= begin && row < behind, start + (row - begin), -1); // the last key that a row sees
    for_pages(table, keys, slot, 0, pages, 1, [&](const Int& j, const Int& page) {
      auto scores = mma(queries, keys(page, head, 0, 0), zeros<f32, 1, 1, BM, page_tokens>()) * unit;
      auto key = j * page_tokens + iota<i64, 1, 1, 1, page_tokens>(3);
      seen.add(select(key <= last, scores, -INFINITY), values(page, head, 0, 0));
    });
  }
  o.store(cast<T>(reshape<BM, 1, P>(seen.sums / seen.weights)));
}

} // namespace tegula::llm::qwen3
