#pragma once

// What copies in the background have in common.

#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Decoder.h"

namespace ptxemu {

void check_aligned(int lane, std::uint64_t address, std::uint64_t alignment, const char* what);
std::uint64_t barrier_address(Warp& warp, std::uint32_t slot, Space space, int lane); // of shared memory, from any space

// A copy from shared to global memory has become part of its thread's open group: its source and destination are marked.
void begin_store(Warp& warp, int lane, Copy copy);
// The thread ends: what it started and did not wait for.
void end_stores(Warp& warp, Mask mask);

void decode_async_copy(Decoder& decoder);
void decode_bulk_copy(Decoder& decoder);
void decode_tensor_copy(Decoder& decoder);

} // namespace ptxemu
