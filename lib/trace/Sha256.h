// SHA-256: a name for bytes that no other bytes have, as far as anyone knows.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tegula {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view bytes) noexcept;

/// 64 hexadecimal digits.
std::string hex(const Digest&);

} // namespace tegula
