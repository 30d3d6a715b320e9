// Element types, seen in kernels and around them.
#pragma once
#include <cstdint>

namespace tegula {

using f64 = double;
using f32 = float;
using i64 = std::int64_t;
using i32 = std::int32_t;
using i16 = std::int16_t;
using i8 = std::int8_t;
using u64 = std::uint64_t;
using u32 = std::uint32_t;
using u16 = std::uint16_t;
using u8 = std::uint8_t;

namespace detail {
enum class Format : std::uint8_t { f16, bf16, f8e4m3, f8e5m2, f8e8m0 };
std::uint16_t narrow(Format, float) noexcept; // nearest, ties to even
float widen(Format, std::uint16_t) noexcept;

/// A float narrower than 32 bits on the host: storage, and conversions to and from float.
template <Format F, class Bits> struct Narrow {
  Bits bits;
  Narrow() = default;
  explicit Narrow(float x) noexcept : bits(static_cast<Bits>(narrow(F, x))) {}
  operator float() const noexcept { return widen(F, bits); }
  static constexpr Narrow from_bits(Bits b) noexcept {
    Narrow x{};
    x.bits = b;
    return x;
  }
};
} // namespace detail

using f16 = detail::Narrow<detail::Format::f16, std::uint16_t>;
using bf16 = detail::Narrow<detail::Format::bf16, std::uint16_t>;
using f8e4m3 = detail::Narrow<detail::Format::f8e4m3, std::uint8_t>;
using f8e5m2 = detail::Narrow<detail::Format::f8e5m2, std::uint8_t>;
/// A scale, 2^(bits - 127); bits 255 are NaN. There is no sign, no zero and no infinity. A float becomes the nearest power of two,
/// the larger one half way; what lies outside, zero and infinity too, the nearest that there is; what is negative becomes NaN.
using f8e8m0 = detail::Narrow<detail::Format::f8e8m0, std::uint8_t>;

enum class DType : std::uint8_t { f64, f32, f16, bf16, f8e4m3, f8e5m2, f8e8m0, i64, i32, i16, i8, u64, u32, u16, u8, boolean };

template <class T> struct dtype_of {
  static constexpr bool known = false;
};
#define TEGULA_DTYPE(T, NAME)                                                                                                      \
  template <> struct dtype_of<T> {                                                                                                 \
    static constexpr bool known = true;                                                                                            \
    static constexpr DType value = DType::NAME;                                                                                    \
  };
TEGULA_DTYPE(f64, f64)
TEGULA_DTYPE(f32, f32)
TEGULA_DTYPE(f16, f16)
TEGULA_DTYPE(bf16, bf16)
TEGULA_DTYPE(f8e4m3, f8e4m3)
TEGULA_DTYPE(f8e5m2, f8e5m2)
TEGULA_DTYPE(f8e8m0, f8e8m0)
TEGULA_DTYPE(i64, i64)
TEGULA_DTYPE(i32, i32)
TEGULA_DTYPE(i16, i16)
TEGULA_DTYPE(i8, i8)
TEGULA_DTYPE(u64, u64)
TEGULA_DTYPE(u32, u32)
TEGULA_DTYPE(u16, u16)
TEGULA_DTYPE(u8, u8)
TEGULA_DTYPE(bool, boolean)
#undef TEGULA_DTYPE

constexpr const char* name(DType t) noexcept {
  constexpr const char* names[] = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2", "f8e8m0", "i64",
                                   "i32", "i16", "i8",  "u64",  "u32",    "u16",    "u8",     "bool"};
  return names[static_cast<int>(t)];
}

constexpr int size_of(DType t) noexcept {
  constexpr int sizes[] = {8, 4, 2, 2, 1, 1, 1, 8, 4, 2, 1, 8, 4, 2, 1, 1};
  return sizes[static_cast<int>(t)];
}

constexpr bool is_float(DType t) noexcept { return t <= DType::f8e8m0; }
constexpr bool is_fp8(DType t) noexcept { return t >= DType::f8e4m3 && t <= DType::f8e8m0; }
constexpr bool is_integer(DType t) noexcept { return t >= DType::i64 && t <= DType::u8; }
/// fp8 and bool have no arithmetic.
constexpr bool is_number(DType t) noexcept { return !is_fp8(t) && t != DType::boolean; }
constexpr bool is_arithmetic_float(DType t) noexcept { return is_float(t) && !is_fp8(t); }
constexpr bool is_unsigned(DType t) noexcept { return t >= DType::u64 && t <= DType::u8; }

} // namespace tegula
