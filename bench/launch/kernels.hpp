// Kernels that do next to nothing, with 2, 5 and 10 arguments.
#pragma once
#include "tegula/tegula.hpp"

namespace launches {

using namespace tegula;

inline constexpr int tile = 128;
using X = In<f32, tile>;

inline void two(Out<f32, tile> y, X a) { y.store(a[y]); }
inline void five(Out<f32, tile> y, X a, X b, X c, X d) { y.store(a[y] + b[y] + c[y] + d[y]); }
inline void ten(Out<f32, tile> y, X a, X b, X c, X d, X e, X f, X g, X h, X i) {
  y.store(a[y] + b[y] + c[y] + d[y] + e[y] + f[y] + g[y] + h[y] + i[y]);
}

/// Takes a time that is proportional to `rounds`, on one SM for each tile.
inline void busy(Out<f32, tile> y, X a, Scalar<i32> rounds) {
  auto x = a[y];
  for ([[maybe_unused]] auto i : range(rounds))
    x = x * 0.999f + 0.5f;
  y.store(x);
}

// NOLINTBEGIN(bugprone-throwing-static-initialization): kernels that are compiled ahead of time are objects of this kind
inline const auto with_2 = kernel<two>();
inline const auto with_5 = kernel<five>();
inline const auto with_10 = kernel<ten>();
inline const auto slow = kernel<busy>();
// NOLINTEND(bugprone-throwing-static-initialization)

} // namespace launches
