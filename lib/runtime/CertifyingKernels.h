// Is every value of an index tensor in range, does none repeat, does none fall? Each finds the first position where the answer is
// no.
#pragma once
#include "tegula/kernel.hpp"

namespace tegula::host::certifying {

/// The first position whose value is not in [low, n): in `first`, or what was there if that is less.
template <class T, int N> void first_outside(MinInto<i64, 1> first, In<T, N> values, Scalar<i64> low, Scalar<i64> n) {
  expects(first.extent(0) == 1, "there is one first position");
  auto least = full<i64, 1>(values.extent(0));
  for (auto i : range(this_program(), values.count(0), programs())) {
    const auto value = cast<i64>(values(i)), at = i * N + iota<i64, N>();
    const auto outside = (value < low || value >= n) && at < values.extent(0);
    least = minimum(least, min<0>(select(outside, at, values.extent(0))));
  }
  first.accumulate(least, 0);
}

/// For each value but -1, the first position that holds it. What lies beyond the end reads as -1.
template <class T, int N> void first_holders(MinInto<i64, N> holders, IndexOrNone<T, N> values) {
  expects(holders.extent(0) >= values.bound(), "there is a holder for each value");
  for (auto i : range(this_program(), values.count(0), programs()))
    accumulate_at<0>(holders, values(i), i * N + iota<i64, N>());
}

/// The first position that is not the first holder of its value, which is not -1.
template <class T, int N> void first_repeated(MinInto<i64, 1> first, IndexOrNone<T, N> values, In<i64, N> holders) {
  expects(holders.extent(0) >= values.bound(), "there is a holder for each value");
  expects(first.extent(0) == 1, "there is one first position");
  auto least = full<i64, 1>(values.extent(0));
  for (auto i : range(this_program(), values.count(0), programs())) {
    const auto value = values(i);
    const auto holder = gather<0>(holders, value), at = i * N + iota<i64, N>();
    least = minimum(least, min<0>(select(holder != at && value >= 0, at, values.extent(0))));
  }
  first.accumulate(least, 0);
}

/// The first position whose value is less than the one before it.
template <class T, int N> void first_falling(MinInto<i64, 1> first, In<T, N> values) {
  expects(first.extent(0) == 1, "there is one first position");
  auto least = full<i64, 1>(values.extent(0));
  for (auto i : range(this_program(), values.count(0), programs())) {
    const auto at = i * N + iota<i64, N>();
    const auto falls = values(i) < values.at_element(i * N - 1) && at > 0 && at < values.extent(0);
    least = minimum(least, min<0>(select(falls, at, values.extent(0))));
  }
  first.accumulate(least, 0);
}

} // namespace tegula::host::certifying
