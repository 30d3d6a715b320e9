#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// y[b, m, h, :] = x[b, h, m, :]: from heads apart to heads side by side.
// The programs share the blocks of BM positions m; that no two write one tile is proved of the indices given to y.tile.
template <class T, int BM, int D> void permute_heads(OutTiles<T, 1, BM, 1, D> y, In<T, 1, 1, BM, D> x) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(2) && x.extent(2) == y.extent(1) && x.extent(3) == y.extent(3),
          "y is [batch, length, heads, width] where x is [batch, heads, length, width]");
  for (auto m : range(this_program(), y.count(1), programs()))
    for (auto b : range(y.count(0)))
      for (auto h : range(y.count(2)))
        for (auto d : range(y.count(3)))
          y.tile(b, m, h, d).store(permute<0, 2, 1, 3>(x(b, h, m, d)));
}

} // namespace tegula::kernels
