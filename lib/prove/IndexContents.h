// What an index tensor holds in the launch of a witness.
#pragma once
#include "lib/trace/Record.h"

#include <algorithm>
#include <cstdint>

namespace tegula {

/// Counting up, each value in turn, and each segment with one position but the last, which has the rest. Counting down, the largest
/// values: all the same where they need not differ, and all positions in the first segment.
inline std::int64_t index_value(trace::Access access, std::int64_t position, std::int64_t extent, std::int64_t bound,
                                bool descending) {
  if (access == trace::Access::offsets) {
    if (position == 0)
      return 0;
    return descending || position == extent - 1 ? bound : std::min(position, bound);
  }
  if (bound <= 0)
    return 0;
  if (!descending)
    return position % bound;
  return access == trace::Access::distinct ? bound - 1 - position : bound - 1;
}

} // namespace tegula
