// mma(a, b, acc): acc + a · b, for tiles [..., M, K], [..., K, N] and [..., M, N]; mma_scaled, of operands with scales.
#pragma once
#include "tegula/kernel/tile.hpp"

namespace tegula {

/// Asks mma to round f32 operands to 10 bits of mantissa first.
struct Tf32 {};
inline constexpr Tf32 tf32;

/// In place of the scales of an operand of mma_scaled that has none.
struct Unscaled {};
inline constexpr Unscaled unscaled;

namespace detail {
/// An fp8 type of numbers, not of scales.
constexpr bool is_fp8_number(DType t) { return is_fp8(t) && t != DType::f8e8m0; }
constexpr bool mma_legal(DType a, DType b, DType acc) {
  if (is_fp8_number(a) && is_fp8_number(b))
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

template <class A, class B, class C> constexpr bool check_mma_shapes() {
  constexpr TileType x = A::type(), y = B::type(), z = C::type();
  constexpr bool ranks = mma_batches_equal(x, y, z);
  TEGULA_CHECK(ranks, "tegula: mma: a, b and acc must have one rank of 2 or more and equal leading axes",
               mma_text(x, y, z, "they must have one rank of 2 or more and equal leading axes"));
  constexpr bool depths = from_end(x, 1) == from_end(y, 2);
  TEGULA_CHECK(!ranks || depths, "tegula: mma(a[M,K], b[K,N], acc[M,N]): the K of a and b differ",
               mma_text(x, y, z, "K differs: the last axis of a must equal the last but one of b"));
  constexpr bool result = from_end(x, 2) == from_end(z, 2) && from_end(y, 1) == from_end(z, 1);
  TEGULA_CHECK(!ranks || result, "tegula: mma(a[M,K], b[K,N], acc[M,N]): acc has the wrong shape",
               mma_text(x, y, z, "acc must have the rows of a and the columns of b"));
  return ranks && depths && result;
}

#define TEGULA_MMA_TYPES "it takes f16, bf16, fp8 and f32 into f32, f64 into f64, i8 and u8 into i32"
template <class A, class B, class C> C multiply(const A& a, const B& b, const C& acc, bool tf32, Loc loc) {
  static_assert(is_tile<A> && is_tile<B> && is_tile<C>, "tegula: mma(a, b, acc) needs three tiles");
  if constexpr (is_tile<A> && is_tile<B> && is_tile<C>) {
    constexpr TileType x = A::type(), y = B::type(), z = C::type();
    TEGULA_CHECK(mma_legal(x.dtype, y.dtype, z.dtype), "tegula: mma: no such combination of element types; " TEGULA_MMA_TYPES,
                 mma_text(x, y, z, "no such combination of element types; " TEGULA_MMA_TYPES));
    check_mma_shapes<A, B, C>();
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

namespace detail {
/// Whether scales have the shape of their operand, but for K: [..., M, blocks] or [..., blocks, N].
constexpr bool scales_fit(const TileType& scales, const TileType& operand, int k_from_end) {
  if (scales.dtype != DType::f8e8m0 || scales.rank != operand.rank)
    return false;
  for (int i = 1; i <= operand.rank; ++i)
    if (i == k_from_end ? from_end(scales, i) > from_end(operand, i) : from_end(scales, i) != from_end(operand, i))
      return false;
  return true;
}
/// How many blocks an operand has along K; 0 without scales, -1 with wrong ones.
template <class S, class Operand, int KFromEnd> constexpr int check_scales() {
  static_assert(is_tile<S> || std::is_same_v<S, Unscaled>,
                "tegula: mma_scaled: the scales of an operand are a tile, or `unscaled`");
  if constexpr (is_tile<S>) {
    constexpr TileType scales = S::type(), operand = Operand::type();
    TEGULA_CHECK(is_fp8_number(operand.dtype), "tegula: mma_scaled: an operand with scales must be f8e4m3 or f8e5m2",
                 text("tegula: mma_scaled: ", operand, " has scales, so it must be f8e4m3 or f8e5m2"));
    TEGULA_CHECK(scales_fit(scales, operand, KFromEnd),
                 "tegula: mma_scaled: scales must be f8e8m0, [..., M, K / block] of a and [..., K / block, N] of b",
                 text("tegula: mma_scaled: ", scales, " are no scales of ", operand, ", ", KFromEnd == 1 ? "a" : "b",
                      ": they must be f8e8m0, ", KFromEnd == 1 ? "[..., M, K / block]" : "[..., K / block, N]"));
    return scales_fit(scales, operand, KFromEnd) ? from_end(scales, KFromEnd) : -1;
  } else {
    return 0;
  }
}
constexpr bool scaled_legal(DType a, DType b, DType acc) {
  const auto takes = [](DType t) { return is_fp8_number(t) || t == DType::bf16 || t == DType::f16; };
  return takes(a) && takes(b) && (is_fp8_number(a) || is_fp8_number(b)) && acc == DType::f32;
}
template <class S> ScaledOperand scaled_operand(const TileType& type, Value tile, const S& scales, Loc loc) {
  if constexpr (is_tile<S>)
    return {type, tile, scales.id(loc)};
  else
    return {type, tile, Value::none};
}
} // namespace detail

/// acc + a · b, each block of operands times its scale: mma_scaled(a[..., M, K], a_scales[..., M, K / block], b[..., K, N],
/// b_scales[..., K / block, N], acc[..., M, N]). Operands with scales are f8e4m3 or f8e5m2, scales f8e8m0, acc is f32. In place of
/// one operand's scales, `unscaled`; that operand may also be bf16 or f16.
template <class A, class SA, class B, class SB, class C> C
mma_scaled(const A& a, const SA& a_scales, const B& b, const SB& b_scales, const C& acc, detail::Loc loc = detail::Loc::current()) {
  using detail::is_tile;
  static_assert(is_tile<A> && is_tile<B> && is_tile<C>,
                "tegula: mma_scaled(a, a_scales, b, b_scales, acc): a, b and acc are tiles");
  if constexpr (is_tile<A> && is_tile<B> && is_tile<C>) {
    constexpr detail::TileType x = A::type(), y = B::type(), z = C::type();
    constexpr int a_blocks = detail::check_scales<SA, A, 1>(), b_blocks = detail::check_scales<SB, B, 2>();
    static_assert(a_blocks || b_blocks, "tegula: mma_scaled of two operands without scales; write mma(a, b, acc)");
    TEGULA_CHECK(detail::scaled_legal(x.dtype, y.dtype, z.dtype),
                 "tegula: mma_scaled: no such combination of element types; it takes fp8, and bf16 or f16 without scales, into f32",
                 detail::text("tegula: mma_scaled of ", x, " and ", y, " into ", z,
                              ": it takes fp8, and bf16 or f16 without scales, into f32"));
    TEGULA_CHECK(a_blocks <= 0 || b_blocks <= 0 || a_blocks == b_blocks,
                 "tegula: mma_scaled: a and b must have equal blocks along K",
                 detail::text("tegula: mma_scaled: a has ", a_blocks, " blocks along K, b has ", b_blocks, "; they must be equal"));
    detail::check_mma_shapes<A, B, C>();
    return C(detail::multiply_scaled(detail::scaled_operand(x, a.id(loc), a_scales, loc),
                                     detail::scaled_operand(y, b.id(loc), b_scales, loc), a_blocks ? a_blocks : b_blocks, z,
                                     acc.id(loc), loc));
  } else {
    return acc;
  }
}

} // namespace tegula
