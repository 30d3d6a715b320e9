// Attention of some queries to keys that come a block at a time.
#pragma once
#include "tegula/kernel.hpp"

#include <cmath>

namespace tegula::llm::qwen3 {

/// Scores are multiplied by this as well, so that weights are powers of two, which a GPU computes by an instruction.
inline constexpr float log2_e = 1.44269504088896340736f;

/// In place of -inf for the largest score of no keys: differences stay numbers.
inline constexpr float no_score = -1e30f;

/// What M queries have seen so far: for each the largest score, the sum of the weights, and that of the weighted values. They are
/// tiles of four axes, as those of pages are: then a page feeds the products as it was loaded, and runs ahead.
template <int M, int P> struct Attended {
  Tile<f32, 1, 1, M, 1> largest = full<f32, 1, 1, M, 1>(no_score), weights = zeros<f32, 1, 1, M, 1>();
  Tile<f32, 1, 1, M, P> sums = zeros<f32, 1, 1, M, P>();

  /// N keys more, by their scores: -inf for one that a query does not see. If a larger score appears, what was summed is scaled
  /// down.
  template <class T, int N> void add(const Tile<f32, 1, 1, M, N>& scores, const Tile<T, 1, 1, N, P>& values) {
    auto now = maximum(largest, max<3>(scores));
    auto p = exp2(scores - now);
    auto fade = exp2(largest - now);
    weights = fma(weights, fade, sum<3>(p));
    sums = mma(cast<T>(p), values, sums * fade);
    largest = now;
  }
};

} // namespace tegula::llm::qwen3
