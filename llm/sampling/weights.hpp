// Probabilities as integers, and what is drawn from them.
//
// A token's weight is exp((x - top) / temperature) in units of 2^-43. Sums of integers are exact in whatever order they are
// computed, so a row's result depends on nothing but the row, and what is drawn from a sum always finds its token.
#pragma once
#include "tegula/kernel.hpp"

#include <limits>
#include <tuple>

namespace tegula::llm::sampling {

constexpr f32 one_weight = 0x1p43f;

/// How steep: weights are 2^((x - top) · steepness). At temperature 0 nothing is drawn, and any number will do.
inline Tile<f32> steepness_of(const Tile<f32>& temperature) { return 1.44269504f / select(temperature > 0, temperature, 1); }

/// Of tokens with logits x, none above top. Minus infinity weighs nothing, also below minus infinity.
template <int... D, class Top> Tile<i64, D...> weights_of(const Tile<f32, D...>& x, const Top& top, const Tile<f32>& steepness) {
  return cast<i64>(exp2((x - top) * steepness) * one_weight);
}

/// The number of elements in a row of a tile for which a condition holds.
template <int N> Int count_of(const Tile<bool, 1, N>& condition) { return reshape<>(sum<1>(cast<i32>(condition))); }

/// An element of a row; 0 for an index that is not in it.
template <class T, int N> Tile<T> element(const Tile<T, 1, N>& row, const Int& index) {
  return reshape<>(sum<1>(select(iota<i64, 1, N>(1) == index, row, zeros<T, 1, N>())));
}

/// Random words for one draw: they depend on the seed, the position in the sequence, and how many draws there were before at this
/// position.
inline std::tuple<Tile<u64>, Tile<u64>> random_words(const Tile<u64>& seed, const Int& position, const Int& round) {
  const auto [a, b, c, d] = philox(seed, (cast<u64>(position) << 32) | cast<u64>(round));
  return {(cast<u64>(a) << 32) | cast<u64>(b), (cast<u64>(c) << 32) | cast<u64>(d)};
}

/// The place that a random word falls on, of places with these weights, summed up: place i with a probability of its weight. The
/// last one if all weigh nothing.
template <int N> Int place_of(const Tile<u64>& word, const Tile<i64, 1, N>& summed) {
  const auto total = element(summed, N - 1);
  const auto fallen = cast<i64>(mulhi(word, cast<u64>(total)));
  return minimum(count_of(summed <= fallen), N - 1);
}

} // namespace tegula::llm::sampling
