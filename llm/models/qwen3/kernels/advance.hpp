// Positions live on the device: a step that is replayed as a graph moves them on by itself. They stay in [0, capacity], and at
// capacity a sequence is full.
#pragma once
#include "tegula/kernel.hpp"

namespace tegula::llm::qwen3 {

/// `count` is at most capacity: nothing wraps.
template <class T> T advanced(const T& positions, const T& count, const Scalar<i32>& capacity) {
  return minimum(clamp(positions, 0, capacity), capacity - count) + count;
}

// One token more for each row that has a slot.
template <int N> void advance(InOut<i32, N> positions, IndexOrNone<i32, N> slots, Scalar<i32> capacity) {
  expects(slots.extent(0) == positions.extent(0), "each position has a slot");
  expects(capacity >= 1, "a sequence has room for a token");
  auto more = cast<i32>(slots[positions] >= 0);
  positions.store(advanced(positions.load(), more, capacity));
}

// As many tokens more as the segments are long.
inline void advance_segments(InOut<i32, 1> positions, IndexOrNone<i32, 1> slots, Offsets<i32> segments, Scalar<i32> capacity) {
  expects(slots.extent(0) == positions.extent(0) && segments.segments() == positions.extent(0),
          "each position has a slot and a segment");
  expects(capacity >= 1, "a sequence has room for a token");
  auto s = positions.at(0);
  auto length = minimum(segments.end(s) - segments.begin(s), cast<i64>(capacity));
  auto more = select(slots[positions] >= 0, cast<i32>(length), 0);
  positions.store(advanced(positions.load(), more, capacity));
}

} // namespace tegula::llm::qwen3
