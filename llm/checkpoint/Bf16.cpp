#include "llm/checkpoint/Bf16.h"
#include "tegula/error.hpp"

#include <bit>
#include <cstring>
#include <string>

namespace tegula::llm {
namespace {

// Both without a branch, so that the compiler makes vector code of the loops, and with integers where numbers may be denormal, as a
// thread can be set to take those for zero.

constexpr std::uint32_t infinity = 0x7f800000, magnitude_bits = 0x7fffffff;

std::uint16_t rounded(std::uint32_t bits) {
  const std::uint32_t nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16, nan = (bits >> 16 & 0x8000) | 0x7fc0;
  return static_cast<std::uint16_t>((bits & magnitude_bits) > infinity ? nan : nearest);
}

std::uint32_t widened(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7fffu, sign = (half & 0x8000u) << 16;
  const std::uint32_t normal = (magnitude << 13) + (112u << 23); // f32 has a bias of 127, f16 one of 15
  const std::uint32_t special = magnitude << 13 | infinity;
  const auto small = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f);
  return sign | (magnitude >= 0x7c00 ? special : magnitude >= 0x0400 ? normal : small);
}

template <class Bits, class Convert> void convert(std::span<bf16> to, const std::byte* source, Convert bits_of) {
  bf16* const out = to.data();
  const std::size_t n = to.size();
  for (std::size_t i = 0; i < n; ++i) {
    Bits bits;
    std::memcpy(&bits, source + i * sizeof bits, sizeof bits);
    out[i].bits = rounded(bits_of(bits));
  }
}

} // namespace

void copy_as_bf16(std::span<bf16> to, std::span<const std::byte> source, DType dtype) {
  if (dtype != DType::f32 && dtype != DType::f16 && dtype != DType::bf16)
    throw Error(std::string("copy_as_bf16: the elements are ") + name(dtype) + "; they must be f32, f16 or bf16");
  if (source.size() != to.size() * static_cast<std::size_t>(size_of(dtype)))
    throw Error("copy_as_bf16: there are " + std::to_string(source.size()) + " bytes of " + name(dtype) + " for " +
                std::to_string(to.size()) + " elements; there must be " + std::to_string(size_of(dtype)) + " for each");
  if (to.empty())
    return;
  if (dtype == DType::bf16)
    std::memcpy(to.data(), source.data(), source.size());
  else if (dtype == DType::f16)
    convert<std::uint16_t>(to, source.data(), widened);
  else
    convert<std::uint32_t>(to, source.data(), [](std::uint32_t bits) { return bits; });
}

} // namespace tegula::llm
