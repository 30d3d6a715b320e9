// How large tiles and tensors may be.
#pragma once
#include <cstdint>

namespace tegula {

/// Batch, head, and the two halves of each axis of a matrix. Launches keep this many extents of each argument.
inline constexpr int max_rank = 6;
/// More do not fit into the registers of a GPU's block many times over: it is a mistake, and takes a compiler minutes.
inline constexpr std::int64_t max_elements = 1 << 20;

/// Of an extent of a tensor, of the number of an output's tiles, of the number of programs, and of what an index is certified to be
/// below: then a kernel's arithmetic on them does not wrap. The host checks it, and the prover takes it for granted.
inline constexpr std::int64_t max_extent = std::int64_t{1} << 48;

} // namespace tegula
