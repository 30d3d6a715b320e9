// Which tokens may be chosen: as many of the most likely ones as each of top-k, top-p and min-p lets through.
#pragma once
#include "llm/sampling/weights.hpp"

namespace tegula::llm::sampling {

constexpr i64 any_weight = std::numeric_limits<i64>::max();

/// The parameters of one sequence, as numbers that tokens are compared with.
struct Truncation {
  Tile<f32> steepness; // of weights, see weights_of
  Tile<f32> share;     // top-p
  Tile<f32> floor;     // min-p: how far below the largest logit, times the steepness, a token may be; minus infinity if off
  Int most;            // top-k; all tokens if off

  Truncation(const Table& table, const Int& slot, const Int& limit)
      : steepness(steepness_of(fraction_of(table, slot, temperature))), share(fraction_of(table, slot, top_p)),
        floor(log2(fraction_of(table, slot, min_p))) {
    const Int k = cast<i64>(word_of(table, slot, top_k));
    most = select(k == 0, limit, minimum(k, limit));
  }

  /// A token is in the nucleus if those before it weigh less than this, of the weight of all that top-k lets through.
  Tile<i64> nucleus(const Tile<i64>& total) const {
    const auto target = cast<i64>(cast<f64>(share) * cast<f64>(total), Rounding::up);
    return select(share < 1, maximum(target, 1), any_weight);
  }

  template <int... D, class Top> Tile<bool, D...> above_floor(const Tile<f32, D...>& x, const Top& top) const {
    return (x - top) * steepness >= floor;
  }
};

} // namespace tegula::llm::sampling
