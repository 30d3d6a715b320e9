// A token from the most likely ones of a row, if they are all that may be chosen.
#pragma once
#include "llm/sampling/truncation.hpp"

namespace tegula::llm::sampling {

/// The C most likely tokens, the most likely one first and of equal ones that with the smaller id, as far as they are known.
template <int C> struct Sorted {
  Tile<f32, 1, C> values;
  Tile<i32, 1, C> places; // among the candidates
  Tile<i64, 1, C> summed; // weights, relative to top
  Tile<f32> top;
  Int known; // behind them tokens may be missing
};

/// Of the candidates of a row, the K most likely tokens of each part, one part after the other; and the last logit of each part.
/// What is missing of a part is not before its last candidate, and the K most likely tokens of a row miss nothing.
template <int C, int K, int N, int P>
Sorted<C> sort_candidates(const Tile<f32, 1, N>& candidates, const Tile<f32, 1, P>& last, const Tile<f32>& steepness) {
  auto [values, places] = topk<1, C>(candidates);
  const auto top = element(values, 0);
  return {values, places, cumsum<1>(weights_of(values, top, steepness)), top,
          maximum(K, count_of(values > reshape<>(max<1>(last))))};
}

/// How many tokens may be chosen, `nucleus` being the weight that those before a token must not reach. Right if it is not more than
/// are known.
template <int C> Int kept_of(const Sorted<C>& row, const Truncation& truncation, const Tile<i64>& nucleus) {
  const Int in_nucleus = count_of(row.summed < nucleus) + 1, likely = count_of(truncation.above_floor(row.values, row.top));
  const Int kept = minimum(truncation.most, in_nucleus);
  return select(likely < row.known, minimum(kept, likely), kept);
}

/// The place among the candidates of a token that is drawn from the first `kept`. If nothing weighs anything, the first one.
template <int C> Tile<i32> draw_from_sorted(const Sorted<C>& row, const Int& kept, const Tile<u64>& word) {
  const Int place = place_of(word, minimum(row.summed, element(row.summed, kept - 1)));
  return element(row.places, minimum(place, kept - 1));
}

} // namespace tegula::llm::sampling
