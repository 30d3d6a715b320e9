// What many of the most likely tokens weigh, when they are too many to be sorted.
#pragma once
#include "llm/sampling/logits.hpp"
#include "llm/sampling/weights.hpp"

#include <array>

namespace tegula::llm::sampling {

/// Numbers in the order of the floats that they stand for; both zeros have one.
inline Int rank_of(const Tile<f32>& x) {
  const Int magnitude = bitcast<i32>(abs(x));
  return select(x < 0, -magnitude, magnitude);
}
inline Tile<f32> with_rank(const Int& rank) {
  const auto magnitude = bitcast<f32>(cast<i32>(abs(rank)));
  return select(rank < 0, -magnitude, magnitude);
}

/// How many logits are at least as large as each pivot.
template <class Row, std::size_t Pivots>
std::array<Int, Pivots> counts_above(const Row& row, const std::array<Tile<f32>, Pivots>& pivots) {
  std::array<Tile<i32, 1, Row::width>, Pivots> found;
  found.fill(zeros<i32, 1, Row::width>());
  for_each_part(row, [&](const Int&, const auto& x) {
    for (std::size_t i = 0; i < Pivots; ++i)
      found[i] += cast<i32>(x >= pivots[i]);
  });
  std::array<Int, Pivots> counts;
  for (std::size_t i = 0; i < Pivots; ++i)
    counts[i] = reshape<>(sum<1>(found[i]));
  return counts;
}

/// The k-th largest logit, k being at most the number of tokens, and top the largest.
/// Seven pivots cut an interval of ranks into eight: eleven passes over the row at most.
template <class Row> Tile<f32> kth_largest(const Row& row, const Int& k, const Tile<f32>& top) {
  constexpr int pivots = 7;
  Int low = rank_of(Tile<f32>(lowest)), high = rank_of(top) + 1; // at least k are not below the first, fewer not below the second
  for (auto _ : loop_while([&] { return high - low > 1; })) {
    const Int step = (high - low + pivots) / (pivots + 1);
    std::array<Tile<f32>, pivots> at;
    for (int i = 0; i < pivots; ++i)
      at[i] = with_rank(minimum(low + (i + 1) * step, high));
    Int enough = 0;
    for (const Int& count : counts_above(row, at))
      enough += select(count >= k, Int(1), Int(0));
    low = low + enough * step;
    high = minimum(high, low + step);
  }
  return with_rank(low);
}

/// The weight of the k most likely tokens. Of those that are equal to the k-th, each weighs the same, so it does not matter which.
template <class Row> Tile<i64> weight_of_first(const Row& row, const Int& k, const Tile<f32>& top, const Tile<f32>& steepness) {
  const auto kth = kth_largest(row, k, top);
  auto above = zeros<i32, 1, Row::width>();
  auto weights = zeros<i64, 1, Row::width>();
  for_each_part(row, [&](const Int&, const auto& x) {
    above += cast<i32>(x > kth);
    weights += select(x > kth, weights_of(x, top, steepness), 0);
  });
  const Int equal = k - cast<i64>(reshape<>(sum<1>(above)));
  return reshape<>(sum<1>(weights)) + equal * weights_of(kth, top, steepness);
}

} // namespace tegula::llm::sampling
