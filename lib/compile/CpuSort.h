// Called by compiled programs: sorts rows of a tile. See tile.sort for the order.
#pragma once
#include <cstdint>

/// `from` is [outer, extent, inner] elements of DType `dtype`, `values` and `indices` are [outer, kept, inner]; `workspace` holds
/// `extent` 32-bit indices.
extern "C" void tegula_cpu_sort(std::int64_t dtype, std::int64_t outer, std::int64_t extent, std::int64_t inner, std::int64_t kept,
                                std::int64_t descending, const void* from, void* values, std::int32_t* indices,
                                std::int32_t* workspace);
