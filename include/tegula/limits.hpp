// How large tiles may be.
#pragma once
#include <cstdint>

namespace tegula {

/// Batch, head, and the two halves of each axis of a matrix. Launches keep this many extents of each argument.
inline constexpr int max_rank = 6;
/// More do not fit into the registers of a GPU's block many times over: it is a mistake, and takes a compiler minutes.
inline constexpr std::int64_t max_elements = 1 << 20;

} // namespace tegula
