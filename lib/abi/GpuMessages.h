// How programs on a GPU report to the host: records in one stretch of memory, behind a head.
#pragma once
#include <algorithm>
#include <cstdint>

namespace tegula {

/// The host sets the capacity and the address, and zeroes the rest before a launch.
struct alignas(16) GpuMessagesHeader {
  std::uint64_t used;     // bytes that programs asked for; more than `capacity` when records were lost
  std::uint64_t failure;  // the lowest program that failed, and where, though its record be lost: see GpuFailure; or 0
  std::uint64_t records;  // their address
  std::uint32_t capacity; // bytes for records
};

/// A failure in a word, of which the greatest is kept.
struct GpuFailure {
  static constexpr int site_bits = 16;
  static constexpr std::uint64_t most_sites = std::uint64_t{1} << site_bits;
  std::uint64_t program, site; // of all sites from the last on, that

  static constexpr GpuFailure of(std::uint64_t word) noexcept { return {~word >> site_bits, ~word & (most_sites - 1)}; }
  constexpr std::uint64_t word() const noexcept { return ~(program << site_bits | std::min(site, most_sites - 1)); }
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
