#include "test/kernels/Library.h"

#include "kernels/dropout.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/layer_norm_backward.hpp"

#include <array>

namespace tegula {
namespace {

constexpr i64 rows = 37, columns = 50;
constexpr double epsilon = 1e-3;

using Row = std::array<double, columns>;

class LayerNorm : public testing::Test {
protected:
  const std::vector<f32> x = numbers(rows * columns, 1), w = numbers(columns, 2), b = numbers(columns, 3),
                         dy = numbers(rows * columns, 4);
  const Tensor<f32, 2> tx = tensor<f32, 2>({rows, columns}, x), tdy = tensor<f32, 2>({rows, columns}, dy);
  const Tensor<f32, 1> weight = tensor<f32, 1>({columns}, w), bias = tensor<f32, 1>({columns}, b);

  Row row(i64 i) const {
    Row row;
    std::copy_n(x.begin() + i * columns, columns, row.begin());
    return row;
  }
  static double mean(const Row& row) {
    double sum = 0;
    for (double element : row)
      sum += element;
    return sum / columns;
  }
  static double scale(const Row& row) {
    double squares = 0;
    for (double element : row)
      squares += (element - mean(row)) * (element - mean(row));
    return 1 / std::sqrt(squares / columns + epsilon);
  }
  static double normal(const Row& row, i64 j) { return (row[j] - mean(row)) * scale(row); }

  /// What dy says of a row's sum.
  double loss(i64 i, const Row& row) const {
    double sum = 0;
    const double centre = mean(row), factor = scale(row);
    for (i64 j = 0; j < columns; ++j)
      sum += dy[i * columns + j] * ((row[j] - centre) * factor * w[j] + b[j]);
    return sum;
  }

  auto forward() const {
    return kernel<kernels::layer_norm<f32, 4, 64>>("layer_norm")(zeros<f32, 2>({rows, columns}), zeros<f32, 2>({rows, 1}),
                                                                 zeros<f32, 2>({rows, 1}), tx, weight, bias, epsilon)
        .sync();
  }
};

TEST_F(LayerNorm, Forward) {
  const auto [y, means, scales] = forward();
  expect_elements(
      y.to_host(), [&](i64 e) { return normal(row(e / columns), e % columns) * w[e % columns] + b[e % columns]; }, 1e-5);
  expect_elements(means.to_host(), [&](i64 i) { return mean(row(i)); }, 1e-5);
  expect_elements(scales.to_host(), [&](i64 i) { return scale(row(i)); }, 1e-5);
}

TEST_F(LayerNorm, RowsFarFromZeroKeepTheirVariance) {
  std::vector<f32> far = x;
  for (f32& element : far)
    element += 1000;
  const auto moved = tensor<f32, 2>({rows, columns}, far);
  const auto [y, means, scales] =
      kernel<kernels::layer_norm<f32, 4, 64>>("layer_norm")(zeros<f32, 2>({rows, columns}), zeros<f32, 2>({rows, 1}),
                                                            zeros<f32, 2>({rows, 1}), moved, weight, bias, epsilon)
          .sync();
  expect_elements(scales.to_host(), [&](i64 i) { return scale(row(i)); }, 1e-3);
}

TEST_F(LayerNorm, BackwardIsTheDerivative) {
  const auto [y, means, scales] = forward();
  for (i64 programs : {1, 3, 40}) {
    const auto [dx, dw, db] = kernel<kernels::layer_norm_backward<f32, 4, 64>>("layer_norm_backward")(
                                  zeros<f32, 2>({rows, columns}), Tensor<f32, 1>::full(test::test_device(), {columns}, 1),
                                  zeros<f32, 1>({columns}), tdy, tx, weight, means, scales)
                                  .programs(programs)
                                  .sync();
    expect_elements(
        dx.to_host(),
        [&](i64 e) {
          constexpr double step = 1e-4;
          Row more = row(e / columns), less = more;
          more[e % columns] += step;
          less[e % columns] -= step;
          return (loss(e / columns, more) - loss(e / columns, less)) / (2 * step);
        },
        1e-5);
    const auto sum = [&](auto term) {
      double sum = 0;
      for (i64 i = 0; i < rows; ++i)
        sum += term(i);
      return sum;
    };
    expect_elements(
        dw.to_host(), [&](i64 j) { return 1 + sum([&](i64 i) { return dy[i * columns + j] * normal(row(i), j); }); }, 1e-5);
    expect_elements(db.to_host(), [&](i64 j) { return sum([&](i64 i) { return dy[i * columns + j]; }); }, 1e-5);
  }
}

/// The first word of Philox 4x32 with 10 rounds, as a number in [0, 1).
double uniform(std::uint64_t counter, std::uint64_t key) {
  std::array<std::uint32_t, 4> x{std::uint32_t(counter), std::uint32_t(counter >> 32), 0, 0};
  for (std::uint32_t r = 0; r < 10; ++r) {
    const std::uint32_t k0 = std::uint32_t(key) + r * 0x9E3779B9u, k1 = std::uint32_t(key >> 32) + r * 0xBB67AE85u;
    const std::uint64_t left = std::uint64_t{0xD2511F53u} * x[0], right = std::uint64_t{0xCD9E8D57u} * x[2];
    x = {std::uint32_t(right >> 32) ^ x[1] ^ k0, std::uint32_t(right), std::uint32_t(left >> 32) ^ x[3] ^ k1, std::uint32_t(left)};
  }
  return (x[0] >> 8) * 0x1p-24;
}

TEST(Dropout, BackwardWithOtherTilesDrawsTheSameNumbers) {
  constexpr i64 size = 1000, seed = 0x123456789ABCDEF;
  for (const double p : {0.0, 0.3, 1.0}) {
    const std::vector<f32> x = numbers(size, 5), dy = numbers(size, 6);
    const auto tx = tensor<f32, 1>({size}, x), tdy = tensor<f32, 1>({size}, dy);
    const auto y = kernel<kernels::dropout<f32, 128>>("dropout")(zeros<f32, 1>({size}), tx, p, seed).sync();
    const auto dx = kernel<kernels::dropout<f32, 32>>("dropout")(zeros<f32, 1>({size}), tdy, p, seed).sync();
    const auto kept = [&](i64 e, double number) { return uniform(e, seed) >= f32(p) ? number / (1 - p) : 0; };
    expect_elements(y.to_host(), [&](i64 e) { return kept(e, x[e]); }, 1e-6);
    expect_elements(dx.to_host(), [&](i64 e) { return kept(e, dy[e]); }, 1e-6);
  }
}

} // namespace
} // namespace tegula
