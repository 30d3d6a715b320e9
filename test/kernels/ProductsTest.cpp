#include "test/kernels/Library.h"

#include "kernels/attention.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/matrix_product_batched.hpp"
#include "kernels/matrix_product_grouped.hpp"
#include "kernels/matrix_product_persistent.hpp"
#include "kernels/matrix_product_split_k.hpp"
#include "kernels/matrix_vector.hpp"
#include "kernels/silu_gate.hpp"

namespace tegula {
namespace {

constexpr i64 m = 75, n = 50, k = 90;

class Products : public testing::Test {
protected:
  const std::vector<f32> x = numbers(m * k, 1), y = numbers(k * n, 2);
  const Tensor<f32, 2> a = tensor<f32, 2>({m, k}, x), b = tensor<f32, 2>({k, n}, y);

  double product(i64 element) const {
    double sum = 0;
    for (i64 l = 0; l < k; ++l)
      sum += double(x[element / n * k + l]) * y[l * n + element % n];
    return sum;
  }
  void expect_product(const Tensor<f32, 2>& c, double already = 0) const {
    expect_elements(c.to_host(), [&](i64 e) { return product(e) + already; }, 1e-5);
  }
};

TEST_F(Products, OneProgramPerTile) {
  expect_product(kernel<kernels::matrix_product<f32, 16, 16, 32>>("matrix_product")(zeros<f32, 2>({m, n}), a, b).sync());
}

TEST_F(Products, BatchedWithAMatrixThatAllShare) {
  constexpr i64 batch = 3;
  const std::vector<f32> many = numbers(batch * m * k, 9);
  const auto as = tensor<f32, 3>({batch, m, k}, many);
  const auto c = kernel<kernels::matrix_product_batched<f32, 16, 16, 32>>("matrix_product_batched")(
                     zeros<f32, 3>({batch, m, n}), as, b.view().broadcast<3>({batch, k, n}))
                     .sync();
  expect_elements(
      c.to_host(),
      [&](i64 e) {
        double sum = 0;
        for (i64 l = 0; l < k; ++l)
          sum += double(many[e / n * k + l]) * y[l * n + e % n];
        return sum;
      },
      1e-5);
}

TEST_F(Products, Persistent) {
  for (i64 programs : {1, 3, 40})
    expect_product(
        kernel<kernels::matrix_product_persistent<f32, 16, 16, 32>>("matrix_product_persistent")(zeros<f32, 2>({m, n}), a, b)
            .programs(programs)
            .sync());
}

TEST_F(Products, Grouped) {
  for (i64 programs : {1, 3, 40})
    expect_product(
        kernel<kernels::matrix_product_grouped<f32, 16, 16, 32, 4>>("matrix_product_grouped")(zeros<f32, 2>({m, n}), a, b)
            .programs(programs)
            .sync());
}

TEST_F(Products, SplitKAddsToWhatIsThere) {
  for (i64 programs : {1, 3, 7})
    expect_product(kernel<kernels::matrix_product_split_k<f32, 16, 16, 16>>("matrix_product_split_k")(
                       Tensor<f32, 2>::full(test::test_device(), {m, n}, 2), a, b)
                       .programs(programs)
                       .sync(),
                   2);
}

TEST_F(Products, MatrixTimesVector) {
  const std::vector<f32> v = numbers(k, 9);
  const auto vector = tensor<f32, 1>({k}, v);
  const auto result = kernel<kernels::matrix_vector<f32, 4, 32>>("matrix_vector")(zeros<f32, 1>({m}), a, vector).sync();
  expect_elements(
      result.to_host(),
      [&](i64 row) {
        double sum = 0;
        for (i64 l = 0; l < k; ++l)
          sum += double(x[row * k + l]) * v[l];
        return sum;
      },
      1e-5);
}

TEST(Gate, IsSiluOfOneProductTimesTheOther) {
  const std::vector<f32> x = numbers(m * k, 3), g = numbers(k * n, 4), u = numbers(k * n, 5);
  const auto tx = tensor<f32, 2>({m, k}, x), tg = tensor<f32, 2>({k, n}, g), tu = tensor<f32, 2>({k, n}, u);
  const auto y = kernel<kernels::silu_gate<f32, 16, 16, 32>>("silu_gate")(zeros<f32, 2>({m, n}), tx, tg, tu).sync();
  expect_elements(
      y.to_host(),
      [&](i64 e) {
        double gate = 0, up = 0;
        for (i64 l = 0; l < k; ++l) {
          gate += double(x[e / n * k + l]) * g[l * n + e % n];
          up += double(x[e / n * k + l]) * u[l * n + e % n];
        }
        return gate / (1 + std::exp(-gate)) * up;
      },
      1e-5);
}

/// Keys and queries differ in number.
template <bool Causal> void check_attention(i64 queries, i64 keys) {
  constexpr i64 heads = 2, width = 24;
  const double scale = 0.5;
  const std::vector<f32> q = numbers(heads * queries * width, 6), k = numbers(heads * keys * width, 7),
                         v = numbers(heads * keys * width, 8);
  const auto tq = tensor<f32, 3>({heads, queries, width}, q), tk = tensor<f32, 3>({heads, keys, width}, k),
             tv = tensor<f32, 3>({heads, keys, width}, v);
  const auto o =
      kernel<kernels::attention<f32, 16, 32, 32, Causal>>("attention")(zeros<f32, 3>({heads, queries, width}), tq, tk, tv, scale)
          .sync();
  expect_elements(
      o.to_host(),
      [&](i64 e) {
        const i64 head = e / width / queries, query = e / width % queries;
        double total = 0, value = 0;
        for (i64 j = 0; j < (Causal ? std::min(query + 1, keys) : keys); ++j) {
          double score = 0;
          for (i64 c = 0; c < width; ++c)
            score += double(q[(head * queries + query) * width + c]) * k[(head * keys + j) * width + c];
          total += std::exp(score * scale);
          value += std::exp(score * scale) * v[(head * keys + j) * width + e % width];
        }
        return value / total;
      },
      1e-5);
}

TEST(Attention, SeesAllKeys) { check_attention<false>(37, 70); }
TEST(Attention, CausalSeesKeysUpToTheQuery) {
  check_attention<true>(70, 70);
  check_attention<true>(70, 37);
}

} // namespace
} // namespace tegula
