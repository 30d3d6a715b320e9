// A hash of 128 bits, for the names and checksums of stored kernels. Not against malice.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tegula::gpu {

struct Hash {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Hash&) const = default;
  /// 32 hexadecimal digits.
  std::string str() const;
};

Hash hash_of(std::string_view bytes) noexcept;

} // namespace tegula::gpu
