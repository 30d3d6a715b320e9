// Hashes of texts and of numbers, with a factor that each process draws anew: nobody can write a file in which all of them collide.
#pragma once
#include <cstdint>
#include <string_view>

namespace tegula::llm {

/// From 2^60 up to the prime 2^61 - 1, and odd.
std::uint64_t random_factor();

/// A polynomial of the bytes at `factor`, modulo 2^61 - 1: two texts of n bytes have the same value for at most n / 7 + 1 factors.
std::uint64_t hash(std::string_view bytes, std::uint64_t factor);

} // namespace tegula::llm
