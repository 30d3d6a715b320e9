#include "lib/runtime/gpu/Hash.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tegula::gpu {
namespace {

// Odd numbers without a pattern: the fractional parts of square roots of primes.
constexpr std::uint64_t prime2 = 0x6a09e667f3bcc909, prime3 = 0xbb67ae8584caa73b, prime5 = 0x3c6ef372fe94f82b;

/// Every bit of the product of both halves.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Bijective, and each bit of the result depends on all.
std::uint64_t scramble(std::uint64_t x) noexcept {
  x = (x ^ (x >> 32)) * prime5;
  x = (x ^ (x >> 29)) * prime3;
  return x ^ (x >> 32);
}

} // namespace

Hash hash_of(std::string_view bytes) noexcept {
  Hash hash{prime2 ^ bytes.size(), prime3 + bytes.size()};
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    // Each half takes the word in another way, and so both must collide.
    hash.low = fold(hash.low ^ scramble(word), prime5) + (hash.high << 7 | hash.high >> 57);
    hash.high = scramble(hash.high + word) ^ hash.low;
  }
  const std::uint64_t mixed = scramble(hash.low ^ prime5);
  return {scramble(hash.high + mixed), mixed};
}

std::string Hash::str() const {
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return digits;
}

} // namespace tegula::gpu
