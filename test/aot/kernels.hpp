// One kernel of each kind that what is embedded must carry: launch conditions, messages, checks, certificates, hints.
#pragma once
#include "tegula/tegula.hpp"

namespace kernels {

using namespace tegula;

template <int N> void scale_tiles(Out<f32, N> y, In<f32, N> x, Scalar<f32> by) { y.store(x[y] * by); }

template <int BM, int BN, int BK> void product_tiles(Out<f32, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), b(k, c.col()), sum);
  c.store(sum);
}

/// There must be as many tiles to read as there are to write.
inline void copy_tiles(Out<i32, 16> y, In<i32, 16> x) { y.store(x(y.at(0))); }

inline void speak_tiles(Out<i32, 4> y, In<i32, 4> x) {
  auto tile = x[y];
  print("the tile is", tile);
  require(tile < 7, "small numbers", tile);
  y.store(tile);
}

/// Where it reads is data: checked while it runs.
inline void gather_elements(Out<i32, 16> y, In<i32, 1> table, In<i32, 16> at) {
  expects(at.extent(0) == y.extent(0), "one position for each element");
  y.store(gather<0>(table, at[y]));
}

inline void histogram_tiles(AddInto<i32, 64> counts, Index<i32, 64> values) {
  for (auto i : range(this_program(), values.count(0), programs()))
    accumulate_at<0>(counts, values(i), ones<i32, 64>());
}

/// That every tile is written, and by one program, is checked while it runs.
inline void snake_tiles(OutTiles<i32, 16, 16> c) {
  for (auto n : range(this_program(), c.count(), programs())) {
    auto i = n / c.count(1), j = n % c.count(1);
    c.tile(i, select(i % 2 == 0, j, c.count(1) - 1 - j)).store(full<i32, 16, 16>(cast<i32>(n)));
  }
}

/// Two programs may write one element.
inline void halve_positions(Patch<i32, 1> p, DistinctIndex<i32, 16> at) {
  expects(p.extent(0) >= at.bound() && at.count(0) >= programs(), "enough room");
  scatter<0>(p, at(this_program()) / 2, ones<i32, 16>());
}

/// A row that is read in one mode, or in every mode: on the same lines.
template <bool Always> void optional_row(Out<f32, 64> y, In<f32, 64> table, Scalar<i64> mode, Scalar<i64> row) {
  auto x = ones<f32, 64>(), other = ones<f32, 64>();
  const auto read = [&] { other = table(row); };
  if constexpr (Always)
    read();
  if_(mode == 2, [&] { Always ? void() : read(), x = other; });
  y.store(x);
}

inline const auto scale = kernel<scale_tiles<256>>("scale");
inline const auto scale_by_one_warp = kernel<scale_tiles<256>>("scale", {.warps = 1, .strict = true});
inline const auto product = kernel<product_tiles<32, 32, 32>>("product");
inline const auto copy = kernel<copy_tiles>("copy");
inline const auto speak = kernel<speak_tiles>("speak");
inline const auto gather = kernel<gather_elements>("gather");
inline const auto snake = kernel<snake_tiles>("snake");
inline const auto halve = kernel<halve_positions>("halve");
inline const auto optional = kernel<optional_row<false>>("optional");
inline const auto histogram = kernel<histogram_tiles>("histogram");

} // namespace kernels
