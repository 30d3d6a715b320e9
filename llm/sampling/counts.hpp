// Counts of tokens for penalties: counts[slot, token], see in_prompt.
#pragma once
#include "llm/sampling/logits.hpp"

namespace tegula::llm::sampling {

/// counts[slot, :] = 0: a new sequence.
template <int N> void clear_counts(Patch<u32, 1, N> counts, Scalar<i64> slot) {
  expects(slot >= 0 && slot < counts.extent(0), "there are counts for the slot");
  for (auto j : range(this_program(), counts.count(1), programs()))
    counts.tile(slot, j).store(zeros<u32, 1, N>());
}

/// Marks the tokens of a prompt.
template <int N> void mark_prompt(OrInto<u32, 1, 1> counts, Index<i32, N> tokens, Scalar<i64> slot) {
  expects(slot >= 0 && slot < counts.extent(0), "there are counts for the slot");
  expects(tokens.bound() <= counts.extent(1), "there is a count for each token");
  for (auto i : range(this_program(), tokens.count(0), programs()))
    accumulate_at<1>(counts, tokens(i), full<u32, 1, N>(in_prompt), slot);
}

/// counts[slots[b], tokens[b]] += 1: what each sequence of a batch has just said. Two rows of one slot add up.
inline void count_chosen(AddInto<u32, 1, 1> counts, Index<i32, 1> tokens, Index<i32, 1> slots) {
  expects(slots.extent(0) == tokens.extent(0), "there is a slot for each token");
  expects(slots.bound() <= counts.extent(0) && tokens.bound() <= counts.extent(1), "there is a count for each slot and token");
  for (auto b : range(this_program(), tokens.extent(0), programs()))
    accumulate_at<1>(counts, tokens(b), ones<u32, 1, 1>(), reshape<>(slots(b)));
}

} // namespace tegula::llm::sampling
