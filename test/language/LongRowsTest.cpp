// Tiles that are too large for registers: a GPU keeps them in shared memory between their uses.
#include "Language.h"

#include <algorithm>

namespace tegula::test {
namespace {

constexpr int N = 4096;

// Each row of b, times a number that depends on its sum and on a row of a. The rows are padded by 0.
void scaled(OutTiles<f32, 1, N> y, In<f32, 1, N> a, In<f32, 1, N> b) {
  expects(a.extent(0) == y.extent(0) && b.extent(0) == y.extent(0), "as many rows");
  expects(a.extent(1) == y.extent(1) && b.extent(1) == y.extent(1), "of the same length");
  for (auto t : y.my_tiles()) {
    auto other = b(t.row(), t.col());
    auto factor = sum<1>(other);
    if_(reshape<>(factor) >= 0, [&] {
      auto row = a(t.row(), t.col());
      factor = max<1>(row * 2.0f) - min<1>(row);
    });
    t.store(other * factor);
  }
}

TEST(LongRows, AreReadAgainForEachUse) {
  constexpr i64 rows = 5, columns = 4000;
  const auto x = some<f32>(rows * columns, -9, 9), z = some<f32>(rows * columns, -5, 5, 2);
  std::vector<f32> want;
  for (i64 i = 0; i < rows; ++i) {
    const f32 *row = &x[i * columns], *other = &z[i * columns];
    f32 factor = 0, least = 0, most = 0; // with the padding
    for (i64 j = 0; j < columns; ++j) {
      factor += other[j];
      least = std::min(least, row[j]);
      most = std::max(most, row[j] * 2);
    }
    if (factor >= 0)
      factor = most - least;
    for (i64 j = 0; j < columns; ++j)
      want.push_back(other[j] * factor);
  }
  const Device device = test_device();
  const auto a = Tensor<f32, 2>::from_host(device, {rows, columns}, x), b = Tensor<f32, 2>::from_host(device, {rows, columns}, z);
  for (int warps : {1, 2, 4}) {
    SCOPED_TRACE(warps);
    auto k = kernel<scaled>("scaled", {.warps = warps});
    expect_same(k(Tensor<f32, 2>::zeros(device, {rows, columns}), a, b).programs(2).sync().to_host(), want);
  }
}

} // namespace
} // namespace tegula::test
