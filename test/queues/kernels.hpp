// Kernels for random work: each result is one number, repeated, so that the host can follow it.
#pragma once
#include "tegula/tegula.hpp"

namespace queues {

using namespace tegula;

inline constexpr int tile = 256;

inline void add_tiles(Out<i32, tile> y, In<i32, tile> x, Scalar<i32> s) { y.store(x[y] + s); }
inline void add_to_tiles(InOut<i32, tile> y, In<i32, tile> x, Scalar<i32> s) { y.store((y.load() + x[y] + s) & 1023); }
inline void deal_out_tiles(OutTiles<i32, tile> y, In<i32, tile> x) {
  for (auto t : y.my_tiles())
    t.store(x[t] + 1);
}
inline void require_tiles(Out<i32, tile> y, In<i32, tile> x, Scalar<i32> s) {
  require(s == 0, "s is 0");
  y.store(x[y]);
}
/// Positions below their bound, for the next launch.
inline void choose_tiles(OutIndex<i32, tile> chosen, In<i32, tile> x) {
  chosen.store(cast<i32>(clamp(cast<i64>(x[chosen]), 0, chosen.bound() - 1)));
}
inline void chosen_tiles(Out<i32, tile> y, Index<i32, tile> chosen, Scalar<i32> s) { y.store(chosen[y] + s); }

inline const auto add = kernel<add_tiles>();
inline const auto add_to = kernel<add_to_tiles>();
inline const auto deal_out = kernel<deal_out_tiles>();
inline const auto check = kernel<require_tiles>();
inline const auto choose = kernel<choose_tiles>();
inline const auto chosen = kernel<chosen_tiles>();

/// The device to work on, of which threads are about to hold so many bytes.
Device open(std::size_t bytes);

} // namespace queues
