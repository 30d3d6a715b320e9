// The most likely token of each row, where no sequence draws: of equal ones that with the smallest id.
#pragma once
#include "llm/sampling/logits.hpp"

namespace tegula::llm::sampling {

/// The largest logit of each part of each row, and its token.
template <int N, bool Penalised> void largest_of_parts(Out<f32, 1, 1> largest, OutIndex<i32, 1, 1> ids, In<f32, 1, N> logits,
                                                       In<u32, 1, N> counts, Table parameters, Index<i32, 1> slots) {
  expects(largest.extent(0) == logits.extent(0) && slots.extent(0) == logits.extent(0),
          "there is a result and a slot for each row");
  expects(largest.extent(1) == logits.count(1), "the results have a column for each part of a row");
  expects(parameters.extent(0) >= slots.bound() && parameters.extent(1) == columns, "there are parameters for each slot");
  expects(counts.extent(0) >= slots.bound() && counts.extent(1) == logits.extent(1), "there is a count for each slot and token");
  expects(ids.bound() <= logits.extent(1) && logits.extent(1) <= most_tokens, "there are logits up to the limit");
  const Int row = largest.row(), part = largest.col(), slot = reshape<>(slots(row));
  const auto x = Logits<N, Penalised>(logits, counts, parameters, row, slot, ids.bound())(part);
  largest.store(max<1>(x));
  ids.store(cast<i32>(clamp(part * N + cast<i64>(argmax<1>(x)), 0, ids.bound() - 1)));
}

/// Of what was found in the parts, P or fewer.
template <int P> void largest_of_rows(OutIndex<i32, 1> tokens, In<f32, 1, P> largest, Index<i32, 1, P> ids) {
  expects(largest.extent(0) == tokens.extent(0) && ids.extent(0) == tokens.extent(0), "there is a token for each row");
  expects(ids.extent(1) == largest.extent(1) && largest.extent(1) >= 1 && largest.extent(1) <= P,
          "a tile holds all parts of a row");
  expects(ids.bound() == tokens.bound(), "the limit is that of the parts");
  const Int row = tokens.at(0);
  const auto best = argmax<1>(largest.load_or(row, 0, lowest));
  const auto token = sum<1>(select(iota<1, P>(1) == best, ids(row, 0), 0));
  tokens.store(reshape<1>(cast<i32>(clamp(cast<i64>(token), 0, tokens.bound() - 1))));
}

} // namespace tegula::llm::sampling
