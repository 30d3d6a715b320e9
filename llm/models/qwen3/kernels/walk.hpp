// A walk along rows of a weight matrix: every product with one row of activations is one.
#pragma once
#include "tegula/kernel.hpp"

#include <array>

namespace tegula::llm::qwen3 {

/// How long the rows are, where a kernel is made for one length: 0 for any.
inline constexpr int any_length = 0;

/// Calls f(j, tiles) with tile j of these rows of each matrix, for every j. Rows need not be a multiple of N long.
/// With Columns the walk is unrolled, and all loads come before the first use: a program has its whole share of the weights under
/// way at once, which is what keeps the memory busy where a row is a few turns long.
template <int Columns, class T, int Rows, int N, class F, class... W>
void walk_rows(const Int& row, const F& f, const In<T, Rows, N>& w, const W&... more) {
  if constexpr (Columns == any_length) {
    for (auto j : w.cols())
      f(j, w(row, j), more(row, j)...);
  } else {
    expects(w.extent(1) == Columns, "the rows of W have the length that the kernel was made for");
    constexpr int turns = (Columns + N - 1) / N;
    using Tiles = std::array<Tile<T, Rows, N>, 1 + sizeof...(W)>;
    std::array<Tiles, turns> loaded;
    for (int j = 0; j < turns; ++j)
      loaded[j] = Tiles{w(row, j), more(row, j)...};
    for (int j = 0; j < turns; ++j)
      std::apply([&](const auto&... tiles) { f(Int(j), tiles...); }, loaded[j]);
  }
}

} // namespace tegula::llm::qwen3
