#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// cache[slots[t], :] = fresh[t, :], and the rest of the cache stays.
// The slots are certified to be distinct and below a bound, so no two programs write one row, and none outside the cache.
template <class T, class I, int N, int D> void kv_append(Patch<T, 1, D> cache, In<T, N, D> fresh, DistinctIndex<I, N> slots) {
  expects(fresh.extent(0) == slots.extent(0), "there is one slot per row of fresh");
  expects(fresh.extent(1) == cache.extent(1), "the cache has as many columns as fresh");
  for (auto i : range(this_program(), slots.count(0), programs()))
    for (auto j : fresh.cols())
      scatter<0>(cache, slots(i), fresh(i, j), j); // outside it reads as -1: no slot
}

} // namespace tegula::kernels
