// What becomes of products: rows of 16 bytes, so that TMA may store the tiles, at extents that no tile divides.
#include "Language.h"

namespace tegula::test {
namespace {

// Small integers: every sum is exact, also in narrow types.
template <class T> struct Operands {
  const int m = 104, n = 80, l = 48;
  const Host<T> x = some<T>(m * l, 0, 1, 1), y = some<T>(l * n, 0, 2, 2);
  const Tensor<T, 2> a = Tensor<T, 2>::from_host(test_device(), {m, l}, x), b = Tensor<T, 2>::from_host(test_device(), {l, n}, y);

  double at(int row, int column) const {
    double sum = 0;
    for (int k = 0; k < l; ++k)
      sum += number(x[row * l + k]) * number(y[k * n + column]);
    return sum;
  }
  template <class U> void expect_product(const std::vector<U>& got) const {
    std::vector<double> want;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        want.push_back(at(i, j));
    expect_near(got, want, 0);
  }
};

template <class T, class Acc, class U> void check_stored_as() {
  SCOPED_TRACE(std::string(name(dtype_of<T>::value)) + " stored as " + name(dtype_of<U>::value));
  const Operands<T> operands;
  auto k = kernel("product", [](Out<U, 64, 64> c, In<T, 64, 32> x, In<T, 32, 64> y) {
    auto sum = zeros<Acc, 64, 64>();
    for (auto i : x.cols())
      sum = mma(x(c.row(), i), y(i, c.col()), sum);
    c.store(cast<U>(sum));
  });
  auto c = Tensor<U, 2>::full(test_device(), {operands.m, operands.n}, U(9));
  operands.expect_product(k(std::move(c), operands.a, operands.b).sync().to_host());
}
TEST(ProductStores, Types) {
  check_stored_as<bf16, f32, f32>();
  check_stored_as<bf16, f32, bf16>();
  check_stored_as<f16, f32, f16>();
  check_stored_as<f64, f64, f64>();
  check_stored_as<i8, i32, i32>();
  check_stored_as<i8, i32, i8>();
  check_stored_as<u8, i32, i64>();
}

TEST(ProductStores, Transposed) {
  const Operands<bf16> operands;
  auto k = kernel("transposed", [](Out<bf16, 32, 64> c, In<bf16, 64, 16> x, In<bf16, 16, 32> y) {
    auto sum = zeros<f32, 64, 32>();
    for (auto i : x.cols())
      sum = mma(x(c.col(), i), y(i, c.row()), sum);
    c.store(cast<bf16>(transpose(sum)));
  });
  std::vector<double> want;
  for (int j = 0; j < operands.n; ++j)
    for (int i = 0; i < operands.m; ++i)
      want.push_back(operands.at(i, j));
  auto c = Tensor<bf16, 2>::full(test_device(), {operands.n, operands.m}, bf16(9));
  expect_near(k(std::move(c), operands.a, operands.b).sync().to_host(), want, 0);
}

TEST(ProductStores, InBatches) {
  const auto x = some<bf16>(3 * 24 * 16, -2, 2, 1), y = some<bf16>(3 * 16 * 40, -2, 2, 2);
  const auto a = Tensor<bf16, 3>::from_host(test_device(), {3, 24, 16}, x),
             b = Tensor<bf16, 3>::from_host(test_device(), {3, 16, 40}, y);
  auto k = kernel("batches", [](Out<f32, 2, 32, 64> c, In<bf16, 2, 32, 16> x, In<bf16, 2, 16, 64> y) {
    c.store(mma(x(c.at(0), c.at(1), 0), y(c.at(0), 0, c.at(2)), zeros<f32, 2, 32, 64>()));
  });
  std::vector<double> want;
  for (int p = 0; p < 3; ++p)
    for (int i = 0; i < 24; ++i)
      for (int j = 0; j < 40; ++j) {
        double sum = 0;
        for (int s = 0; s < 16; ++s)
          sum += number(x[(p * 24 + i) * 16 + s]) * number(y[(p * 16 + s) * 40 + j]);
        want.push_back(sum);
      }
  expect_near(k(Tensor<f32, 3>::zeros(test_device(), {3, 24, 40}), a, b).sync().to_host(), want, 0);
}

// Shared memory is used again while the last tile may still be read there.
template <int M, int N, int K> void check_tile_after_tile(const Operands<bf16>& operands) {
  SCOPED_TRACE("tiles of " + std::to_string(M) + "×" + std::to_string(N));
  auto k = kernel("tiles", [](OutTiles<f32, M, N> c, In<bf16, M, K> x, In<bf16, K, N> y) {
    for (auto t : c.my_tiles()) {
      auto sum = zeros<f32, M, N>();
      for (auto i : x.cols())
        sum = mma(x(t.row(), i), y(i, t.col()), sum);
      t.store(sum);
    }
  });
  for (i64 programs : {1, 3}) {
    auto c = Tensor<f32, 2>::full(test_device(), {operands.m, operands.n}, 9);
    operands.expect_product(k(std::move(c), operands.a, operands.b).programs(programs).sync().to_host());
  }
}
TEST(ProductStores, TileAfterTile) {
  check_tile_after_tile<32, 32, 16>({});
  check_tile_after_tile<128, 256, 64>({.m = 136, .n = 264, .l = 24}); // no room for a tile beside operands that run ahead
}

TEST(ProductStores, TwiceAndThenAReduction) {
  const Operands<bf16> operands;
  auto k = kernel("twice",
                  [](Out<f32, 64, 64> c, Out<bf16, 64, 64> twice, Out<f32, 64, 1> sums, In<bf16, 64, 16> x, In<bf16, 16, 64> y) {
                    auto sum = zeros<f32, 64, 64>();
                    for (auto i : x.cols())
                      sum = mma(x(c.row(), i), y(i, c.col()), sum);
                    c.store(sum);
                    twice.store(cast<bf16>(sum * 2));
                    sums.store(tegula::sum<1>(sum));
                  });
  auto results = k(Tensor<f32, 2>::zeros(test_device(), {64, 64}), Tensor<bf16, 2>::zeros(test_device(), {64, 64}),
                   Tensor<f32, 2>::zeros(test_device(), {64, 1}), operands.a, operands.b)
                     .sync();
  std::vector<double> once, doubled, sums;
  for (int i = 0; i < 64; ++i) {
    sums.push_back(0);
    for (int j = 0; j < 64; ++j) {
      once.push_back(operands.at(i, j));
      doubled.push_back(2 * operands.at(i, j));
      sums.back() += operands.at(i, j);
    }
  }
  expect_near(std::get<0>(results).to_host(), once, 0);
  expect_near(std::get<1>(results).to_host(), doubled, 0);
  expect_near(std::get<2>(results).to_host(), sums, 0);
}

// Of several stores to one place the last stays.
TEST(ProductStores, AgainAndAgain) {
  const Operands<bf16> operands;
  auto k = kernel("again", [](Patch<f32, 64, 64> c, In<bf16, 64, 16> x, In<bf16, 16, 64> y) {
    for (auto turn : range(0, 3)) {
      auto sum = zeros<f32, 64, 64>();
      for (auto i : x.cols())
        sum = mma(x(this_program(), i), y(i, 0), sum);
      c.tile(this_program(), 0).store(sum * cast<f32>(turn));
    }
  });
  const auto got =
      k(Tensor<f32, 2>::full(test_device(), {operands.m, operands.n}, 9), operands.a, operands.b).programs(2).sync().to_host();
  std::vector<double> want;
  for (int i = 0; i < operands.m; ++i)
    for (int j = 0; j < operands.n; ++j)
      want.push_back(j < 64 ? 2 * operands.at(i, j) : 9);
  expect_near(got, want, 0);
}

} // namespace
} // namespace tegula::test
