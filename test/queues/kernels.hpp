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

inline const auto add = kernel<add_tiles>();
inline const auto add_to = kernel<add_to_tiles>();
inline const auto deal_out = kernel<deal_out_tiles>();
inline const auto check = kernel<require_tiles>();

} // namespace queues
