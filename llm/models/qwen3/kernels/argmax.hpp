// The most likely token of each row of logits, in two stages: many programs share a row of 150 thousand. What comes out is
// certified to be below the size of the vocabulary, so that the next step looks it up without a check.
#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::llm::qwen3 {

// Of each tile of a row, the largest logit and its id, the first of equal ones. Ids from `limit` on are padding: never chosen.
template <int N> void argmax_parts(Out<f32, 1, 1> largest, Out<i32, 1, 1> id, In<f32, 1, N> logits, Scalar<i64> limit) {
  expects(largest.extent(0) == logits.extent(0) && id.extent(0) == logits.extent(0), "the results have as many rows as the logits");
  expects(largest.extent(1) == logits.count(1) && id.extent(1) == logits.count(1), "a result for each tile of a row");
  expects(logits.extent(1) < (i64{1} << 31), "ids can be counted in 32 bits");
  auto first = largest.col() * N;
  auto part = logits.load_or(largest.row(), largest.col(), -INFINITY);
  part = select(first + iota<i64, 1, N>(1) < limit, part, -INFINITY);
  largest.store(max<1>(part));
  id.store(argmax<1>(part) + cast<i32>(first));
}

// Of each row, the id of the largest of what argmax_parts found. P is at least the number of parts.
template <int P> void argmax_token(OutIndex<i32, 1> token, In<f32, 1, P> largest, In<i32, 1, P> ids) {
  expects(largest.extent(0) == token.extent(0) && ids.extent(0) == token.extent(0), "the parts of a row for each token");
  expects(largest.extent(1) == ids.extent(1), "each part has an id");
  expects(largest.extent(1) >= 1 && largest.extent(1) <= P, "a tile holds all parts of a row");
  auto best = argmax<1>(largest.load_or(token.at(0), 0, -INFINITY));
  auto id = sum<1>(select(iota<1, P>(1) == best, ids(token.at(0), 0), 0));
  token.store(reshape<1>(cast<i32>(clamp(cast<i64>(id), 0, token.bound() - 1))));
}

} // namespace tegula::llm::qwen3
