// What an index tensor holds in the launch of a witness.
#pragma once
#include "lib/trace/Record.h"

#include <algorithm>
#include <cstdint>

namespace tegula {

/// Counting up, each value in turn, and each segment with one position but the last, which has the rest. Counting down, the largest
/// values: all the same where they need not differ, and all positions in the first segment. Where there may be none, there is at
/// every other position when counting up, and where values that differ run out.
inline std::int64_t index_value(ParameterKind access, std::int64_t position, std::int64_t extent, std::int64_t bound,
                                bool descending) {
  if (access == ParameterKind::offsets) {
    if (position == 0)
      return 0;
    return descending || position == extent - 1 ? bound : std::min(position, bound);
  }
  constexpr std::int64_t none = -1;
  if (may_be_none(access)) {
    if (!descending && position % 2 == 0)
      return none;
    position = descending ? position : position / 2;
    if (bound == 0 || (is_distinct(access) && position >= bound))
      return none;
  }
  if (bound <= 0)
    return 0;
  if (!descending)
    return position % bound;
  return is_distinct(access) ? bound - 1 - position : bound - 1;
}

} // namespace tegula
