// Loads at element offsets: stencils, convolutions and windows over tensors that no tile divides.
#include "Language.h"

namespace tegula::test {
namespace {

TEST(ElementOffsets, AStencilOfRankOne) {
  auto k = kernel("three", [](Out<i32, 256> y, In<i32, 256> x) {
    const Int at = y.at(0) * 256;
    y.store(x.at_element(at - 1) + 10 * x[y] + 100 * x.at_element(at + 1, or_padding));
  });
  for (i64 n : {0, 1, 2, 255, 256, 257, 300, 512, 513, 1024}) {
    const auto host = some<i32>(n, -99, 99);
    const auto x = Tensor<i32, 1>::from_host(test_device(), {n}, host);
    const auto at = [&](i64 i) { return i >= 0 && i < n ? host[static_cast<std::size_t>(i)] : 0; };
    std::vector<i32> want;
    for (i64 i = 0; i < n; ++i)
      want.push_back(at(i - 1) + 10 * at(i) + 100 * at(i + 1));
    expect_same(k(Tensor<i32, 1>::zeros(test_device(), {n}), x).sync().to_host(), want);
  }
}

/// A kernel with a pad for what lies outside: the largest of nine neighbours.
auto largest = kernel("largest", [](Out<f32, 32, 64> y, In<f32, 32, 64> x) {
  auto most = full<f32, 32, 64>(-1000);
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      most = maximum(most, x.at_element_or(y.row() * 32 + i, y.col() * 64 + j, -1000, or_padding));
  y.store(most);
});
template <class V> void check_largest(const V& view) {
  const auto host = view.to_host();
  const i64 rows = view.extent(0), columns = view.extent(1);
  std::vector<f32> want;
  for (i64 r = 0; r < rows; ++r)
    for (i64 c = 0; c < columns; ++c) {
      f32 most = -1000;
      for (i64 i = std::max<i64>(r - 1, 0); i <= std::min(r + 1, rows - 1); ++i)
        for (i64 j = std::max<i64>(c - 1, 0); j <= std::min(c + 1, columns - 1); ++j)
          most = std::max(most, host[static_cast<std::size_t>(i * columns + j)]);
      want.push_back(most);
    }
  expect_same(largest(Tensor<f32, 2>::zeros(test_device(), {rows, columns}), view).sync().to_host(), want);
}

TEST(ElementOffsets, NeighboursInAMatrix) {
  for (const auto& [rows, columns] : {std::pair<i64, i64>{64, 128}, {65, 129}, {31, 63}, {1, 200}, {70, 1}, {33, 68}}) {
    const auto x = Tensor<f32, 2>::from_host(test_device(), {rows, columns}, some<f32>(rows * columns, -999, 999));
    check_largest(x.view());
    check_largest(x.view().transpose());
  }
}

TEST(ElementOffsets, NeighboursInViews) {
  const auto x = Tensor<f32, 2>::from_host(test_device(), {80, 140}, some<f32>(80 * 140, -999, 999));
  check_largest(x.view().slice(0, 3, 70).slice(1, 4, 137));
  check_largest(x.view().slice(1, 9, 10));
  check_largest(x.view().slice(0, 9, 10).broadcast<2>({70, 140}));
  check_largest(x.view().slice(1, 9, 10).broadcast<2>({80, 70}));
}

TEST(ElementOffsets, AConvolutionByProducts) {
  // A window for each step of the kernel, times its weights: aligned tensors of whole tiles, as products like them.
  auto k = kernel("convolution", [](Out<f32, 64, 64> y, In<bf16, 64, 32> x, In<bf16, 32, 64> w) {
    expects(x.extent(0) == y.extent(0), "a row for each row");
    auto sum = zeros<f32, 64, 64>();
    for (auto t : range(w.count(0)))
      sum = mma(x.at_element(y.row() * 64 + t - 1, 0, or_padding), w(t, y.col()), sum);
    y.store(sum);
  });
  for (i64 rows : {128, 100}) {
    constexpr i64 taps = 3, in = 32, out = 64;
    const auto host_x = some<bf16>(rows * in, -3, 3), host_w = some<bf16>(taps * in * out, -3, 3);
    const auto x = Tensor<bf16, 2>::from_host(test_device(), {rows, in}, host_x);
    const auto w = Tensor<bf16, 2>::from_host(test_device(), {taps * in, out}, host_w);
    std::vector<f32> want;
    for (i64 r = 0; r < rows; ++r)
      for (i64 c = 0; c < out; ++c) {
        f32 sum = 0;
        for (i64 t = 0; t < taps; ++t)
          for (i64 e = 0; e < in && r + t - 1 >= 0 && r + t - 1 < rows; ++e)
            sum += float(host_x[static_cast<std::size_t>((r + t - 1) * in + e)]) *
                   float(host_w[static_cast<std::size_t>((t * in + e) * out + c)]);
        want.push_back(sum);
      }
    expect_same(k(Tensor<f32, 2>::zeros(test_device(), {rows, out}), x, w).sync().to_host(), want);
  }
}

TEST(ElementOffsets, ALongRowUsedTwice) {
  // As large as what would stay in shared memory if it were aligned.
  auto k = kernel("row", [](Out<f32, 1, 16384> y, In<f32, 1, 16384> x) {
    auto row = x.at_element(y.row(), -5);
    y.store(row - broadcast<1, 16384>(max<1>(row)));
  });
  constexpr i64 columns = 16384;
  const auto host = some<f32>(2 * columns, 1, 999);
  const auto x = Tensor<f32, 2>::from_host(test_device(), {2, columns}, host);
  std::vector<f32> want;
  for (i64 r = 0; r < 2; ++r) {
    const auto at = [&](i64 c) { return c < 0 ? 0 : host[static_cast<std::size_t>(r * columns + c)]; };
    f32 most = 0;
    for (i64 c = -5; c < columns - 5; ++c)
      most = std::max(most, at(c));
    for (i64 c = -5; c < columns - 5; ++c)
      want.push_back(at(c) - most);
  }
  expect_same(k(Tensor<f32, 2>::zeros(test_device(), {2, columns}), x).sync().to_host(), want);
}

TEST(ElementOffsets, AnyOffset) {
  auto k = kernel("any", [](Out<i32, 4> y, In<i32, 4> x, Scalar<i64> at) { y.store(x.at_element_or(at, -5, or_padding)); });
  const auto x = Tensor<i32, 1>::from_host(test_device(), {6}, {1, 2, 3, 4, 5, 6});
  const auto run = [&](i64 at) { return k(Tensor<i32, 1>::zeros(test_device(), {4}), x, at).sync().to_host(); };
  expect_same(run(0), std::vector<i32>{1, 2, 3, 4});
  expect_same(run(-3), std::vector<i32>{-5, -5, -5, 1});
  expect_same(run(4), std::vector<i32>{5, 6, -5, -5});
  for (i64 at : {i64{6}, i64{-4}, i64{1} << 32, -(i64{1} << 32), INT64_MIN, INT64_MAX, i64{1} << 62})
    expect_same(run(at), std::vector<i32>(4, -5));
}

TEST(ElementOffsets, PositionsOutsideAreNone) {
  auto k = kernel("positions", [](Out<i32, 8> y, In<i32, 1> table, Index<i32, 8> n) {
    expects(n.extent(0) >= 1, "there are positions");
    y.store(gather<0>(table, n.at_element(-2)) + n.at_element(-2));
  });
  const auto table = Tensor<i32, 1>::from_host(test_device(), {3}, {10, 20, 30});
  const auto n = Certified<i32, 1>::from_host(test_device(), {4}, std::vector<i32>{2, 0, 1, 2}, 3);
  expect_same(k(Tensor<i32, 1>::zeros(test_device(), {8}), table, n).sync().to_host(),
              std::vector<i32>{-1, -1, 32, 10, 21, 32, -1, -1});
}

TEST(ElementOffsets, OfReshapedTensors) {
  auto x = Tensor<f32, 1>::from_host(test_device(), {64 * 128}, some<f32>(64 * 128, -999, 999));
  check_largest(x.view().reshape<2>({64, 128}));
  check_largest(x.view().reshape<3>({4, 32, 64}).permute<2, 0, 1>().flatten<1, 2>());
  const auto matrix = std::move(x).reshape<2>({128, 64});
  check_largest(matrix.view());
}

} // namespace
} // namespace tegula::test
