// As FIPS 180-4 defines it.
#include "lib/trace/Sha256.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace tegula {
namespace {

using Word = std::uint32_t;
using Wide = unsigned __int128;

constexpr std::size_t rounds = 64, block_bytes = 64, length_bytes = 8;

/// The first 32 bits after the point of the n-th root of a small number.
constexpr Word root_bits(Word number, int n) {
  const Wide target = Wide{number} << (32 * n);
  Wide root = 0;
  for (Wide bit = Wide{1} << 36; bit > 0; bit >>= 1) {
    const Wide next = root + bit;
    if ((n == 2 ? next * next : next * next * next) <= target)
      root = next;
  }
  return static_cast<Word>(root);
}

/// Of the first primes.
template <std::size_t Count> constexpr std::array<Word, Count> roots_of_primes(int n) {
  std::array<Word, Count> roots{};
  std::size_t found = 0;
  for (Word number = 2; found < Count; ++number) {
    bool is_prime = true;
    for (Word divisor = 2; divisor * divisor <= number; ++divisor)
      is_prime &= number % divisor != 0;
    if (is_prime)
      roots[found++] = root_bits(number, n);
  }
  return roots;
}

constexpr std::array<Word, 8> initial = roots_of_primes<8>(2);
constexpr std::array<Word, rounds> constants = roots_of_primes<rounds>(3);

using State = std::array<Word, 8>;

void mix(State& state, const std::uint8_t* block) noexcept {
  std::array<Word, rounds> w{};
  for (std::size_t t = 0; t < 16; ++t)
    for (std::size_t byte = 0; byte < 4; ++byte)
      w[t] = w[t] << 8 | block[4 * t + byte];
  for (std::size_t t = 16; t < rounds; ++t) {
    const Word early = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    const Word late = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + early + w[t - 7] + late;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < rounds; ++t) {
    const Word choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const Word first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice + constants[t] + w[t];
    const Word second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State after{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i)
    state[i] += after[i];
}

} // namespace

Digest sha256(std::string_view bytes) noexcept {
  State state = initial;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t at = 0;
  for (; bytes.size() - at >= block_bytes; at += block_bytes)
    mix(state, data + at);
  // The rest, a one, zeros, and the length in bits: one block, or two.
  std::array<std::uint8_t, 2 * block_bytes> last{};
  const std::size_t rest = bytes.size() - at;
  std::copy_n(data + at, rest, last.begin());
  last[rest] = 0x80;
  const std::size_t end = rest + 1 + length_bytes <= block_bytes ? block_bytes : 2 * block_bytes;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (std::size_t byte = 0; byte < length_bytes; ++byte)
    last[end - 1 - byte] = static_cast<std::uint8_t>(bits >> 8 * byte);
  for (std::size_t from = 0; from < end; from += block_bytes)
    mix(state, last.data() + from);
  Digest digest;
  for (std::size_t byte = 0; byte < digest.size(); ++byte)
    digest[byte] = static_cast<std::uint8_t>(state[byte / 4] >> 8 * (3 - byte % 4));
  return digest;
}

std::string hex(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

} // namespace tegula
