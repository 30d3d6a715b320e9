// Bytes that are written without a kernel.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tegula::host {

struct Transfer {
  enum class Kind : std::uint8_t { fill, copy, to_host, from_host };
  Kind kind = Kind::copy;
  void* to = nullptr;
  const void* from = nullptr; // but for a fill
  std::size_t bytes = 0;
  std::array<std::byte, 8> element{}; // which a fill repeats
  std::size_t element_bytes = 1;
};

Transfer fill_of(void* to, std::size_t bytes, const void* element, std::size_t element_bytes) noexcept;

/// Where all memory is the host's.
void do_on_host(const Transfer&) noexcept;

} // namespace tegula::host
