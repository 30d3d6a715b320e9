#pragma once
#include "llm/sampling/kth.hpp"
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

  const Int row = tokens.at(0), slot = reshape<>(slots(row)), limit = tokens.bound();
  const Int position = reshape<>(positions(row));
  const Truncation truncation(parameters, slot, limit);
  const Tile<u64> seed = cast<u64>(word_of(parameters, slot, seed_low)) | (cast<u64>(word_of(parameters, slot, seed_high)) << 32);

  auto [best, places] = topk<1, C>(values.load_or(row, 0, lowest));
  const auto firsts = first.load_or(row, 0, lowest);
  const Tile<f32> top = reshape<>(max<1>(firsts));
  const auto summed = cumsum<1>(weights_of(best, top, truncation.steepness));
  // What survey left out of a part is not above the last one of the part, nor among the K most likely of the row.
  const auto left_out = reshape<>(max<1>(last.load_or(row, 0, lowest)));
  const Int known = maximum(K, count_of(best > left_out));

  Proposals<P> all{{Tile<f32>(lowest), most_tokens}, zeros<i64, 1, P>(), firsts, 0};
  all.weights = cast<i64>(cast<f64>(weights(row, 0)) * cast<f64>(exp2((firsts - top) * truncation.steepness)));
  const auto total = select(truncation.most <= known, element(summed, truncation.most - 1), reshape<>(sum<1>(all.weights)));

  const auto nucleus = truncation.nucleus(total);
  const Int likely = count_of(truncation.above_floor(best, top));
  Int kept = minimum(truncation.most, count_of(summed < nucleus) + 1);
  kept = select(likely < known, minimum(kept, likely), kept);
  const auto greedy = fraction_of(parameters, slot, temperature) == 0 || top == lowest;
  kept = select(greedy, 1, kept);
  const auto weighed = truncation.most <= known || truncation.most == limit || truncation.share >= 1;

  Int token = 0;
  if_(
      greedy || (kept <= known && weighed),
      [&] {
        const auto [a, b] = random_words(seed, position, 0);
        const Int place = place_of(a, minimum(summed, element(summed, kept - 1)));
        const auto at = element(places, minimum(place, kept - 1));
        token = reshape<>(gather<1>(ids, reshape<1>(at), row, or_padding));
      },
      [&] {
        const Logits<N, Penalised> whole(logits, counts, parameters, row, slot, limit);
        Tile<i64> bound = nucleus;
        if_(!weighed, [&] { bound = truncation.nucleus(weight_of_first(whole, truncation.most, top, truncation.steepness)); });
        token = draw_from_row(all, whole, truncation, top, bound, seed, position);
      });
  tokens.store(cast<i32>(reshape<1>(clamp(token, 0, limit - 1))));
}

} // namespace tegula::llm::sampling
