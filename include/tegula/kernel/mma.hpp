// mma(a, b, acc): acc + a · b, for tiles [..., M, K], [..., K, N] and [..., M, N].
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

/// Asks mma to round f32 operands to 10 bits of mantissa first.
struct Tf32 {};
inline constexpr Tf32 tf32;

namespace detail {
constexpr bool mma_legal(DType a, DType b, DType acc) {
  if (is_fp8(a) && is_fp8(b) && a != DType::f8e8m0 && b != DType::f8e8m0)
    return acc == DType::f32;
  if (a != b)
    return false;
  switch (a) {
  case DType::f16:
  case DType::bf16:
  case DType::f32:
    return acc == DType::f32;
  case DType::f64:
    return acc == DType::f64;
  case DType::i8:
  case DType::u8:
    return acc == DType::i32;
  default:
    return false;
  }
}
constexpr bool mma_batches_equal(const TileType& a, const TileType& b, const TileType& acc) {
  if (a.rank < 2 || a.rank != b.rank || a.rank != acc.rank)
    return false;
  for (int i = 0; i + 2 < a.rank; ++i)
    if (a.extents[i] != b.extents[i] || a.extents[i] != acc.extents[i])
      return false;
  return true;
}
constexpr std::int32_t from_end(const TileType& t, int i) { return t.rank >= i ? t.extents[t.rank - i] : 0; }
constexpr Text mma_text(const TileType& a, const TileType& b, const TileType& acc, const char* what) {
  return text("tegula: mma of ", a, " and ", b, " into ", acc, ": ", what);
}

#define TEGULA_MMA_TYPES "it takes f16, bf16, fp8 and f32 into f32, f64 into f64, i8 and u8 into i32"
template <class A, class B, class C> C multiply(const A& a, const B& b, const C& acc, bool tf32, Loc loc) {
  static_assert(is_tile<A> && is_tile<B> && is_tile<C>, "tegula: mma(a, b, acc) needs three tiles");
  if constexpr (is_tile<A> && is_tile<B> && is_tile<C>) {
    constexpr TileType x = A::type(), y = B::type(), z = C::type();
    TEGULA_CHECK(mma_legal(x.dtype, y.dtype, z.dtype), "tegula: mma: no such combination of element types; " TEGULA_MMA_TYPES,
                 mma_text(x, y, z, "no such combination of element types; " TEGULA_MMA_TYPES));
    constexpr bool ranks = mma_batches_equal(x, y, z);
    TEGULA_CHECK(ranks, "tegula: mma: a, b and acc must have one rank of 2 or more and equal leading axes",
                 mma_text(x, y, z, "they must have one rank of 2 or more and equal leading axes"));
    TEGULA_CHECK(!ranks || from_end(x, 1) == from_end(y, 2), "tegula: mma(a[M,K], b[K,N], acc[M,N]): the K of a and b differ",
                 mma_text(x, y, z, "K differs: the last axis of a must equal the last but one of b"));
    TEGULA_CHECK(!ranks || (from_end(x, 2) == from_end(z, 2) && from_end(y, 1) == from_end(z, 1)),
                 "tegula: mma(a[M,K], b[K,N], acc[M,N]): acc has the wrong shape",
                 mma_text(x, y, z, "acc must have the rows of a and the columns of b"));
    return C(emit("tile.mma", C::type(), {a.id(loc), b.id(loc), acc.id(loc)}, loc, {{"tf32", tf32}}));
  } else {
    return acc;
  }
}
#undef TEGULA_MMA_TYPES
} // namespace detail

template <class A, class B, class C> C mma(const A& a, const B& b, const C& acc, detail::Loc loc = detail::Loc::current()) {
  return detail::multiply(a, b, acc, false, loc);
}
template <class A, class B, class C> C mma(const A& a, const B& b, const C& acc, Tf32, detail::Loc loc = detail::Loc::current()) {
  static_assert(std::is_same_v<typename A::element, f32>, "tegula: tf32 is a mode of mma with f32 operands");
  return detail::multiply(a, b, acc, true, loc);
}

} // namespace tegula
