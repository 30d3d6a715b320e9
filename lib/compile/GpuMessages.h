// How programs on a GPU report to the host: records in one stretch of memory, behind a head.
#pragma once
#include <cstdint>

namespace tegula {

/// The host sets the capacity and the address, and zeroes the rest before a launch.
struct alignas(16) GpuMessagesHeader {
  std::uint64_t used;     // bytes that programs asked for; more than `capacity` when records were lost
  std::uint32_t failed;   // 1 once a site that fails a launch has spoken
  std::uint32_t capacity; // bytes for records
  std::uint64_t records;  // their address
};

/// A record: this, then the values of its site. Each value starts at a multiple of `gpu_message_alignment` bytes from the start of
/// the record and has its elements in row-major order as in memory. The values of a claim are the program that came first and the
/// index of the element per axis, as 64-bit numbers. A record that does not fit is not written.
struct GpuMessage {
  std::uint32_t bytes; // of all of it, a multiple of the alignment
  std::uint32_t site;
  std::int64_t program;
};

inline constexpr std::uint64_t gpu_message_alignment = 16;

} // namespace tegula
