#pragma once
#include "llm/sampling/kth.hpp"
#include "llm/sampling/sorted.hpp"
#include "llm/sampling/whole_row.hpp"

namespace tegula::llm::sampling {

/// A token for each row, from what survey found in its parts: P parts or fewer, and K tokens of each.
/// The C most likely tokens of a row are sorted. If they are all that may be chosen, the token is drawn from them; if not, from
/// the whole row.
template <int C, int P, int K, int N, bool Penalised> void choose(OutIndex<i32, 1> tokens, In<f32, 1, P * K> values,
                                                                  Index<i32, 1, P * K> ids, In<f32, 1, P> first, In<f32, 1, P> last,
                                                                  In<i64, 1, P> weights, In<f32, 1, N> logits, In<u32, 1, N> counts,
                                                                  Table parameters, Index<i32, 1> slots, In<i32, 1> positions) {
  expects(tokens.extent(0) == logits.extent(0) && slots.extent(0) == logits.extent(0) && positions.extent(0) == logits.extent(0),
          "there is a token, a slot and a position for each row");
  expects(values.extent(0) == logits.extent(0) && ids.extent(0) == logits.extent(0) && first.extent(0) == logits.extent(0) &&
              last.extent(0) == logits.extent(0) && weights.extent(0) == logits.extent(0),
          "there is a survey of each row");
  expects(logits.count(1) <= P && values.extent(1) == logits.count(1) * K && ids.extent(1) == values.extent(1) &&
              first.extent(1) == logits.count(1) && last.extent(1) == logits.count(1) && weights.extent(1) == logits.count(1),
          "there are K tokens of each part, and at most P parts");
  expects(parameters.extent(0) >= slots.bound() && parameters.extent(1) == columns, "there are parameters for each slot");
  expects(counts.extent(0) >= slots.bound() && counts.extent(1) == logits.extent(1), "there is a count for each slot and token");
  expects(ids.bound() == tokens.bound() && tokens.bound() <= logits.extent(1) && logits.extent(1) <= most_tokens,
          "there are logits up to the limit, which that of the survey is, too");

  const Int row = tokens.at(0), slot = reshape<>(slots(row)), position = reshape<>(positions(row)), limit = tokens.bound();
  const Truncation truncation(parameters, slot, limit);
  const Tile<u64> seed = seed_of(parameters, slot);
  const auto firsts = first.load_or(row, 0, lowest);
  const auto sorted = sort_candidates<C, K>(values.load_or(row, 0, lowest), last.load_or(row, 0, lowest), truncation.steepness);
  const auto all = proposals_of(weights(row, 0), firsts, sorted.top, truncation.steepness);

  // Top-p is a part of the weight that top-k lets through.
  const auto is_sorted = truncation.most <= sorted.known;
  const auto total = select(is_sorted, element(sorted.summed, truncation.most - 1), reshape<>(sum<1>(all.weights)));
  const auto is_weighed = is_sorted || truncation.most == limit || truncation.share >= 1;
  const auto nucleus = truncation.nucleus(total);
  const auto greedy = fraction_of(parameters, slot, temperature) == 0 || sorted.top == lowest;
  const Int kept = select(greedy, 1, kept_of(sorted, truncation, nucleus));

  const auto from_sorted = [&] {
    const auto place = draw_from_sorted(sorted, kept, std::get<0>(random_words(seed, position, 0)));
    return Int(reshape<>(gather<1>(ids, reshape<1>(place), row, or_padding)));
  };
  const auto from_row = [&] {
    const Logits<N, Penalised> whole(logits, counts, parameters, row, slot, limit);
    Tile<i64> limited = nucleus;
    if_(!is_weighed,
        [&] { limited = truncation.nucleus(weight_of_first(whole, truncation.most, sorted.top, truncation.steepness)); });
    return draw_from_row(all, whole, truncation, sorted.top, limited, seed, position);
  };
  const Int token = if_(greedy || (kept <= sorted.known && is_weighed), from_sorted, from_row);
  tokens.store(cast<i32>(reshape<1>(clamp(token, 0, limit - 1))));
}

} // namespace tegula::llm::sampling
