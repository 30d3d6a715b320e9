// Kernels that read views: permuted, transposed, broadcast, sliced; and shared tensors.
#include "Language.h"

namespace tegula::test {
namespace {

auto copy2 = kernel("copy2", [](Out<i32, 4, 8> y, In<i32, 4, 8> x) { y.store(x[y] * 2 + 1); });
template <class V> void check_2d(const V& view) {
  const auto host = view.to_host();
  expect_same(copy2(Tensor<i32, 2>::zeros(test_device(), view.shape()), view).sync().to_host(),
              map([](i32 v) { return v * 2 + 1; }, host));
}
auto copy3 = kernel("copy3", [](Out<i32, 2, 4, 8> y, In<i32, 2, 4, 8> x) { y.store(x[y] - 1); });
template <class V> void check_3d(const V& view) {
  const auto host = view.to_host();
  expect_same(copy3(Tensor<i32, 3>::zeros(test_device(), view.shape()), view).sync().to_host(),
              map([](i32 v) { return v - 1; }, host));
}

TEST(Views, Transposed) {
  const auto host = some<i32>(13 * 21, 0, 999);
  const auto x = Tensor<i32, 2>::from_host(test_device(), {13, 21}, host);
  const auto view = x.view();
  check_2d(view);
  const auto turned = view.transpose();
  ASSERT_EQ(turned.to_host()[1], host[21]);
  check_2d(turned);
}

TEST(Views, Permuted) {
  const auto x = Tensor<i32, 3>::from_host(test_device(), {5, 9, 11}, some<i32>(5 * 9 * 11, 0, 999));
  const auto view = x.view();
  check_3d(view.permute<0, 1, 2>());
  check_3d(view.permute<0, 2, 1>());
  check_3d(view.permute<1, 0, 2>());
  check_3d(view.permute<1, 2, 0>());
  check_3d(view.permute<2, 0, 1>());
  check_3d(view.permute<2, 1, 0>());
}

TEST(Views, Broadcast) {
  const auto row = Tensor<i32, 1>::from_host(test_device(), {11}, some<i32>(11, 0, 999));
  const auto column = Tensor<i32, 2>::from_host(test_device(), {9, 1}, some<i32>(9, 0, 999));
  const auto one = Tensor<i32, 0>::from_host(test_device(), {}, {7});
  check_2d(row.view().broadcast<2>({9, 11}));
  check_2d(column.view().broadcast<2>({9, 11}));
  check_2d(one.view().broadcast<2>({9, 11}));
  check_3d(column.view().broadcast<3>({5, 9, 11}));
  check_3d(row.view().broadcast<3>({5, 9, 11}));
  check_3d(column.view().broadcast<3>({5, 9, 11}).permute<2, 0, 1>());
}

TEST(Views, Sliced) {
  const auto x = Tensor<i32, 2>::from_host(test_device(), {30, 40}, some<i32>(30 * 40, 0, 999));
  const auto view = x.view();
  check_2d(view.slice(0, 3, 20));
  check_2d(view.slice(1, 5, 38));
  check_2d(view.slice(0, 7, 8).slice(1, 39, 40));
  check_2d(view.slice(0, 4, 4));
  check_2d(view.slice(1, 1, 30).transpose().slice(0, 2, 19));
}

TEST(Views, WhatLiesOutsideASliceIsPad) {
  auto k = kernel("sums", [](Out<i32, 8> y, In<i32, 8> x) { y.store(broadcast<8>(sum<0>(x.load_or(y, 1000)))); });
  const auto x = Tensor<i32, 1>::from_host(test_device(), {32}, std::vector<i32>(32, 1));
  const auto view = x.view();
  expect_same(k(Tensor<i32, 1>::zeros(test_device(), {11}), view.slice(0, 5, 16)).sync().to_host(),
              std::vector<i32>{8, 8, 8, 8, 8, 8, 8, 8, 5003, 5003, 5003});
}

TEST(Views, ProductsOfViews) {
  auto k = kernel("product", [](Out<f32, 16, 16> c, In<f32, 16, 8> a, In<f32, 8, 16> b) {
    auto acc = zeros<f32, 16, 16>();
    for (auto i : a.cols())
      acc = mma(a(c.row(), i), b(i, c.col()), acc);
    c.store(acc);
  });
  constexpr int m = 20, n = 35, l = 19;
  const auto ha = some<f32>(l * m, -9, 9, 1), hb = some<f32>(n * l, -9, 9, 2);
  const auto a = Tensor<f32, 2>::from_host(test_device(), {l, m}, ha), b = Tensor<f32, 2>::from_host(test_device(), {n, l}, hb);
  std::vector<f32> want(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int q = 0; q < l; ++q)
        want[i * n + j] += ha[q * m + i] * hb[j * l + q];
  expect_same(k(Tensor<f32, 2>::zeros(test_device(), {m, n}), a.view().transpose(), b.view().transpose()).sync().to_host(), want);
}

TEST(Views, BoolAndFp8) {
  auto k = kernel("flags", [](Out<bool, 4, 8> y, In<bool, 4, 8> x, In<f8e4m3, 4, 8> z) { y.store(x[y] ^ (cast<f32>(z[y]) > 2)); });
  const auto flags = some<bool>(11 * 7, 0, 1);
  const auto numbers = some<f8e4m3>(11 * 7, 0, 5, 2);
  const auto x = Tensor<bool, 2>::from_host(test_device(), {11, 7}, flags);
  const auto z = Tensor<f8e4m3, 2>::from_host(test_device(), {11, 7}, numbers);
  Host<bool> want;
  for (int j = 0; j < 7; ++j)
    for (int i = 0; i < 11; ++i)
      want.push_back(flags[i * 7 + j] ^ (float(numbers[i * 7 + j]) > 2));
  expect_same(k(Tensor<bool, 2>::zeros(test_device(), {7, 11}), x.view().transpose(), z.view().transpose()).sync().to_host(), want);
}

TEST(Shared, ManyOwnersOneMemory) {
  auto k = kernel("add", [](Out<i32, 8> y, In<i32, 8> a, In<i32, 8> b) { y.store(a[y] + 10 * b[y]); });
  const auto host = some<i32>(19, 0, 9);
  const auto shared = Tensor<i32, 1>::from_host(test_device(), {19}, host).share();
  auto op = k(Tensor<i32, 1>::zeros(test_device(), {19}), shared, shared);
  auto moved = std::move(op); // it owns all it reads
  expect_same(std::move(moved).sync().to_host(), map([](i32 v) { return 11 * v; }, host));
  expect_same(k(Tensor<i32, 1>::zeros(test_device(), {19}), shared, shared.view()).sync().to_host(),
              map([](i32 v) { return 11 * v; }, host));
}

} // namespace
} // namespace tegula::test
