#include "test/kernels/Library.h"

#include "kernels/add.hpp"
#include "kernels/column_sums.hpp"
#include "kernels/copy.hpp"
#include "kernels/permute_heads.hpp"
#include "kernels/registry.hpp"
#include "kernels/rms_norm.hpp"
#include "kernels/row_statistics.hpp"
#include "kernels/saxpy.hpp"
#include "kernels/silu_product.hpp"
#include "kernels/softmax.hpp"
#include "kernels/transpose.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace tegula {
namespace {

constexpr i64 rows = 37, columns = 50;

class Elements : public testing::Test {
protected:
  const std::vector<f32> x = numbers(rows * columns, 1), y = numbers(rows * columns, 2);
  const Tensor<f32, 1> flat_x = tensor<f32, 1>({rows * columns}, x);
  const Tensor<f32, 2> matrix = tensor<f32, 2>({rows, columns}, x);
  double sum_of_row(i64 row, int power) const {
    double sum = 0;
    for (i64 j = 0; j < columns; ++j)
      sum += std::pow(x[row * columns + j], power);
    return sum;
  }
};

TEST_F(Elements, Add) {
  const auto b = tensor<f32, 1>({rows * columns}, y);
  const auto c = kernel<kernels::add<f32, 64>>("add")(zeros<f32, 1>({rows * columns}), flat_x, b).sync();
  expect_elements(c.to_host(), [&](i64 e) { return x[e] + y[e]; });
}

TEST_F(Elements, Copy) {
  auto y = Tensor<f32, 1>::full(test::test_device(), {rows * columns}, -7);
  y = kernel<kernels::copy<f32, 64>>("copy")(std::move(y), flat_x).sync();
  EXPECT_EQ(y.to_host(), x);
}

TEST_F(Elements, SiluProduct) {
  const auto up = tensor<f32, 2>({rows, columns}, y);
  const auto result = kernel<kernels::silu_product<f32, 4, 16>>("silu_product")(zeros<f32, 2>({rows, columns}), matrix, up).sync();
  expect_elements(result.to_host(), [&](i64 e) { return double(x[e]) / (1 + std::exp(-double(x[e]))) * y[e]; }, 1e-6);
}

TEST_F(Elements, SaxpyIsInPlace) {
  auto result = tensor<f32, 1>({rows * columns}, y);
  result = kernel<kernels::saxpy<f32, 64>>("saxpy")(std::move(result), -0.5, flat_x).sync();
  expect_elements(result.to_host(), [&](i64 e) { return std::fma(-0.5f, x[e], y[e]); });
}

TEST_F(Elements, Softmax) {
  const auto result = kernel<kernels::softmax<f32, 4, 64>>("softmax")(zeros<f32, 2>({rows, columns}), matrix).sync();
  expect_elements(
      result.to_host(),
      [&](i64 e) {
        double total = 0;
        for (i64 j = 0; j < columns; ++j)
          total += std::exp(double(x[e / columns * columns + j]));
        return std::exp(double(x[e])) / total;
      },
      1e-6);
}

TEST_F(Elements, SoftmaxOfNarrowNumbersIsComputedInF32) {
  const auto narrow = numbers<bf16>(rows * columns, 5);
  const auto logits = tensor<bf16, 2>({rows, columns}, narrow);
  const auto result = kernel<kernels::softmax<bf16, 4, 64>>("softmax")(zeros<bf16, 2>({rows, columns}), logits).sync();
  expect_elements(
      result.to_host(),
      [&](i64 e) {
        double total = 0;
        for (i64 j = 0; j < columns; ++j)
          total += std::exp(double(float(narrow[e / columns * columns + j])));
        return bf16(float(std::exp(double(float(narrow[e]))) / total));
      },
      1e-4);
}

TEST_F(Elements, LongRowsThatDoNotFitIntoRegisters) {
  constexpr i64 length = 8192;
  const auto narrow = numbers<bf16>(3 * length, 6);
  const auto logits = tensor<bf16, 2>({3, length}, narrow);
  const auto result =
      kernel<kernels::softmax<bf16, 1, length>>("softmax", {.warps = 4})(zeros<bf16, 2>({3, length}), logits).sync();
  std::array<double, 3> totals{};
  for (i64 e = 0; e < 3 * length; ++e)
    totals[e / length] += std::exp(double(float(narrow[e])));
  expect_elements(
      result.to_host(), [&](i64 e) { return bf16(float(std::exp(double(float(narrow[e]))) / totals[e / length])); }, 2e-6);
}

TEST_F(Elements, RmsNorm) {
  const std::vector<f32> w = numbers(columns, 3);
  const auto weight = tensor<f32, 1>({columns}, w);
  const auto norm = kernel<kernels::rms_norm<f32, 4, 64>>("rms_norm");
  const auto result = norm(zeros<f32, 2>({rows, columns}), matrix, weight, 1e-3).sync();
  expect_elements(
      result.to_host(), [&](i64 e) { return x[e] * w[e % columns] / std::sqrt(sum_of_row(e / columns, 2) / columns + 1e-3); },
      1e-5);
}

TEST_F(Elements, RowStatisticsOfLongRows) {
  const auto statistics = kernel<kernels::row_statistics<4, 16>>("row_statistics");
  const auto [mean, variance] = statistics(zeros<f32, 2>({rows, 1}), zeros<f32, 2>({rows, 1}), matrix).sync();
  const auto average = [&](i64 row) { return sum_of_row(row, 1) / columns; };
  expect_elements(mean.to_host(), average, 1e-5);
  expect_elements(variance.to_host(), [&](i64 row) { return sum_of_row(row, 2) / columns - average(row) * average(row); }, 1e-5);
}

TEST_F(Elements, ColumnSumsAddToWhatIsThere) {
  for (i64 programs : {1, 4}) {
    auto sums = Tensor<f32, 1>::full(test::test_device(), {columns}, 1);
    sums = kernel<kernels::column_sums<8, 16>>("column_sums")(std::move(sums), matrix).programs(programs).sync();
    expect_elements(
        sums.to_host(),
        [&](i64 j) {
          double sum = 1;
          for (i64 i = 0; i < rows; ++i)
            sum += x[i * columns + j];
          return sum;
        },
        1e-5);
  }
}

TEST_F(Elements, Transpose) {
  const auto result = kernel<kernels::transpose<f32, 16, 8>>("transpose")(zeros<f32, 2>({columns, rows}), matrix).sync();
  expect_elements(result.to_host(), [&](i64 e) { return x[e % rows * columns + e / rows]; });
}

TEST(PermuteHeads, PutsHeadsSideBySide) {
  constexpr i64 B = 2, H = 3, M = 21, D = 20;
  const std::vector<f32> host = numbers(B * H * M * D, 4);
  const auto x = tensor<f32, 4>({B, H, M, D}, host);
  for (i64 programs : {1, 2, 9}) {
    auto y = zeros<f32, 4>({B, M, H, D});
    y = kernel<kernels::permute_heads<f32, 8, 16>>("permute_heads")(std::move(y), x).programs(programs).sync();
    expect_elements(y.to_host(), [&](i64 e) {
      const i64 d = e % D, h = e / D % H, m = e / D / H % M, b = e / D / H / M;
      return host[((b * H + h) * M + m) * D + d];
    });
  }
}

TEST(Registry, HasEveryKernelOnceAndInOrder) {
  std::set<std::string> names;
  for (const kernels::Entry& entry : kernels::registry()) {
    EXPECT_TRUE(names.empty() || *names.rbegin() < entry.name) << entry.name;
    names.insert(entry.name);
    EXPECT_STREQ(entry.make().name(), entry.name);
  }
  if (!std::filesystem::exists(TEGULA_KERNELS))
    GTEST_SKIP() << "the sources are not here";
  for (const auto& file : std::filesystem::directory_iterator(TEGULA_KERNELS)) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() == ".hpp" && name != "registry" && name != "certify")
      EXPECT_TRUE(names.contains(name)) << file.path() << " is not in kernels/registry.cpp";
  }
}

} // namespace
} // namespace tegula
