#include "llm/tokenizer/Hash.h"

#include <cstring>
#include <random>

namespace tegula::llm {
namespace {

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

/// Of numbers below 2^62. The result is less than 2^61 + 4, which is enough: only equal texts must have equal values.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  const std::uint64_t sum = (static_cast<std::uint64_t>(product) & prime) + static_cast<std::uint64_t>(product >> 61);
  return (sum & prime) + (sum >> 61);
}

} // namespace

std::uint64_t random_factor() {
  std::random_device device;
  return std::uniform_int_distribution<std::uint64_t>(prime / 2 + 1, prime - 1)(device) | 1;
}

std::uint64_t hash(std::string_view bytes, std::uint64_t factor) {
  constexpr std::size_t block_size = 7; // less than the prime
  std::uint64_t value = times(bytes.size() + 1, factor);
  for (; bytes.size() >= 8; bytes.remove_prefix(block_size)) {
    std::uint64_t block;
    std::memcpy(&block, bytes.data(), sizeof block);
    value = times(value + (block & 0x00FFFFFFFFFFFFFF), factor);
  }
  std::uint64_t block = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) // at most seven
    block |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return times(value + block, factor);
}

} // namespace tegula::llm
