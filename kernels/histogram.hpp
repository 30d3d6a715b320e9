#pragma once
#include "tegula/kernel.hpp"

namespace tegula::kernels {

// counts[v] += 1 for each value v.
// The values are certified to be below a bound; that there are so many counts is checked once, when the kernel is launched.
template <class T, int N, int Bins> void histogram(AddInto<i32, Bins> counts, Index<T, N> values) {
  for (auto i : range(this_program(), values.count(0), programs()))
    accumulate_at<0>(counts, values(i), ones<i32, N>()); // outside it reads as -1: no position
}

} // namespace tegula::kernels
