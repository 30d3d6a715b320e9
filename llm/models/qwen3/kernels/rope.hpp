// Heads of queries and keys before attention: RMSNorm of each, then rotary positions by halves.
#pragma once
#include "tegula/kernel.hpp"

#include <bit>

namespace tegula::llm::qwen3 {

/// The extent of a tile that holds a head of D elements. What it has beyond D reads as zero, and is not stored.
template <int D> inline constexpr int padded = static_cast<int>(std::bit_ceil(static_cast<unsigned>(D)));

/// Element i of a head of D pairs with element i + D/2: (low, high) becomes (-high, low).
template <int D, class T, int Rows> Tile<f32, Rows, padded<D>> rotate_half(const Tile<T, Rows, padded<D>>& x) {
  constexpr int P = padded<D>;
  if constexpr (P == D) {
    auto low = extract<Rows, P / 2>(x, 0, 0), high = extract<Rows, P / 2>(x, 0, 1);
    return cast<f32>(concatenate<1>(-high, low));
  } else {
    // The halves are no sub-tiles. A product with a permutation whose entries are 0, 1 and -1 moves them, and is exact.
    auto from = iota<P, 1>(0);
    auto to = iota<1, P>(1);
    auto moves = cast<T>(from + D / 2 == to) - cast<T>(from == to + D / 2);
    return mma(x, moves, zeros<f32, Rows, P>());
  }
}

/// What turns the heads of one position.
template <int P> struct Rotation {
  Tile<f32, 1, P> cosine, sine;
};
/// The table is [positions, 2, width of a head]: cosines and sines, of which the second half of a head repeats the first.
template <int P> Rotation<P> rotation_at(const In<f32, 1, 1, P>& rotations, const Int& position) {
  return {reshape<1, P>(rotations(position, 0, 0)), reshape<1, P>(rotations(position, 1, 0))};
}
template <int P> void expects_rotations(const In<f32, 1, 1, P>& rotations, const Int& positions, int width) {
  expects(rotations.extent(0) >= positions, "there is a rotation for each position");
  expects(rotations.extent(1) == 2 && rotations.extent(2) == width, "a rotation is a cosine and a sine as wide as a head");
}

/// A head in each row: RMSNorm as the model has it, rounded before and after the weight; then turned, in f32.
template <int D, class T, int Rows> Tile<T, Rows, padded<D>> norm_rope(const Tile<T, Rows, padded<D>>& heads,
                                                                       const Tile<T, padded<D>>& weight,
                                                                       const Rotation<padded<D>>& at, const Scalar<f32>& epsilon) {
  auto x = cast<f32>(heads);
  auto unit = cast<T>(x * rsqrt(sum<1>(x * x) / float(D) + epsilon));
  auto normed = unit * reshape<1, padded<D>>(weight);
  return cast<T>(cast<f32>(normed) * at.cosine + rotate_half<D>(normed) * at.sine);
}

} // namespace tegula::llm::qwen3
