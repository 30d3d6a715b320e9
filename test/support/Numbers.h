// Element types for references: how bits and numbers correspond, written from the formats' definitions. Shares nothing with the
// compiler.
#pragma once
#include "tegula/dtype.hpp"

#include <cstdint>

namespace tegula::test {

using Real = long double; // holds every f64, i64 and u64 exactly
using Whole = __int128;

enum class Rounding { nearest_even, toward_zero, down, up };

/// The number that a float's bits stand for.
Real decode(DType, std::uint64_t bits);
/// The bits of a float, after rounding. What is too large becomes infinity, or NaN for f8e4m3, unless the rounding is away from it;
/// f8e8m0 has its ends instead.
std::uint64_t encode(DType, Real, Rounding = Rounding::nearest_even);
/// `encode` and back.
Real round_to(DType, Real, Rounding = Rounding::nearest_even);
Real largest_finite(DType);
/// The distance between neighbouring floats at a magnitude, never below the smallest denormal.
Real ulp(DType, Real at);

/// The integer that bits stand for; bool is 0 or 1.
Whole decode_integer(DType, std::uint64_t bits);
/// The low bits of an integer.
std::uint64_t encode_integer(DType, Whole);
/// A product whose low 64 bits are right, whatever the factors.
inline Whole multiply(Whole a, Whole b) {
  return static_cast<Whole>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}
Whole lowest(DType);
Whole highest(DType);
/// To the nearest, halves to even; or as said.
Real round_to_integer(Real, Rounding = Rounding::nearest_even);

constexpr bool is_signed(DType t) { return t >= DType::i64 && t <= DType::i8; }
constexpr int bits_of(DType t) { return t == DType::boolean ? 1 : 8 * size_of(t); }

inline constexpr DType all_dtypes[] = {DType::f64,    DType::f32, DType::f16, DType::bf16,   DType::f8e4m3, DType::f8e5m2,
                                       DType::f8e8m0, DType::i64, DType::i32, DType::i16,    DType::i8,     DType::u64,
                                       DType::u32,    DType::u16, DType::u8,  DType::boolean};

} // namespace tegula::test
