#pragma once
#include "tegula/kernel.hpp"

namespace tegula::llm::qwen3 {

// The last row of each segment, which alone says what comes next; zeros for a segment without rows.
template <class T, int N> void last_rows(Out<T, 1, N> y, In<T, 1, N> x, Offsets<i32> segments) {
  expects(y.extent(0) == segments.segments() && x.extent(0) >= segments.bound(), "y has a row for each segment of x");
  expects(y.extent(1) == x.extent(1), "y is as wide as x");
  auto s = y.row(), end = segments.end(s);
  auto row = zeros<T, 1, N>();
  if_(segments.begin(s) < end, [&] { row = x(end - 1, y.col()); });
  y.store(row);
}

} // namespace tegula::llm::qwen3
