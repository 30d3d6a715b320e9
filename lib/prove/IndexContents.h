// What an index tensor holds in the launch of a witness.
#pragma once
#include <cstdint>

namespace tegula {

/// Counting up, each value in turn; counting down, the largest ones: all the same where they need not differ.
inline std::int64_t index_value(std::int64_t position, std::int64_t bound, bool distinct, bool descending) {
  if (bound <= 0)
    return 0;
  if (!descending)
    return position % bound;
  return distinct ? bound - 1 - position : bound - 1;
}

} // namespace tegula
