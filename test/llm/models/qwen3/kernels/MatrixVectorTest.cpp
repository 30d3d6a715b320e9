// One row of activations times weights whose rows no tile divides, with and without a length known at compile time.
#include "llm/models/qwen3/kernels/matrix_vector.hpp"
#include "test/llm/models/qwen3/kernels/Heads.h"

namespace tegula::llm::qwen3 {
namespace {

struct Problem {
  i64 rows, columns, batch;
  std::vector<bf16> w = numbers<bf16>(rows * columns, 1), up = numbers<bf16>(rows * columns, 2),
                    x = numbers<bf16>(batch * columns, 3), norm = numbers<bf16>(columns, 4),
                    residual = numbers<bf16>(batch * rows, 5);

  double product(const std::vector<bf16>& weights, i64 b, i64 row) const {
    double sum = 0;
    for (i64 i = 0; i < columns; ++i)
      sum += double(float(weights[at(row * columns + i)])) * float(x[at(b * columns + i)]);
    return sum;
  }
  double normed(const std::vector<bf16>& weights, i64 b, i64 row) const {
    double sum = 0, squares = 0;
    for (i64 i = 0; i < columns; ++i) {
      const double element = float(x[at(b * columns + i)]);
      squares += element * element;
      sum += float(weights[at(row * columns + i)]) * element * float(norm[at(i)]);
    }
    return sum / std::sqrt(squares / static_cast<double>(columns) + epsilon);
  }
};

template <class R, int Rows, int N, int Columns> void check_norm_matrix_vector(const Problem& p) {
  const auto multiply = kernel<norm_matrix_vector<bf16, R, Rows, N, Columns>>("norm_matrix_vector", {.strict = true});
  const auto w = tensor<bf16, 2>({p.rows, p.columns}, p.w), x = tensor<bf16, 2>({p.batch, p.columns}, p.x);
  const auto norm = tensor<bf16, 1>({p.columns}, p.norm);
  const auto y = multiply(fresh(p.batch, p.rows), w, x, norm, epsilon).sync();
  expect_elements(y.to_host(), [&](i64 e) { return p.normed(p.w, e / p.rows, e % p.rows); }, std::is_same_v<R, f32> ? 1e-4 : 0.01);
}

template <int Rows, int N, int Columns> void check_gate_up(const Problem& p) {
  const auto multiply = kernel<norm_gate_up<bf16, Rows, N, Columns>>("norm_gate_up", {.strict = true});
  const auto gate = tensor<bf16, 2>({p.rows, p.columns}, p.w), up = tensor<bf16, 2>({p.rows, p.columns}, p.up),
             x = tensor<bf16, 2>({p.batch, p.columns}, p.x);
  const auto norm = tensor<bf16, 1>({p.columns}, p.norm);
  const auto h = multiply(fresh(p.batch, p.rows), gate, up, x, norm, epsilon).sync();
  expect_elements(
      h.to_host(),
      [&](i64 e) {
        const double g = p.normed(p.w, e / p.rows, e % p.rows);
        return g / (1 + std::exp(-g)) * p.normed(p.up, e / p.rows, e % p.rows);
      },
      0.01);
}

template <int Rows, int N, int Columns> void check_add(const Problem& p) {
  const auto multiply = kernel<matrix_vector_add<bf16, Rows, N, Columns>>("matrix_vector_add", {.strict = true});
  const auto w = tensor<bf16, 2>({p.rows, p.columns}, p.w), a = tensor<bf16, 2>({p.batch, p.columns}, p.x);
  auto x = tensor<bf16, 2>({p.batch, p.rows}, p.residual);
  multiply(out(x), w, a).sync();
  expect_elements(x.to_host(), [&](i64 e) { return float(p.residual[at(e)]) + p.product(p.w, e / p.rows, e % p.rows); }, 0.01);
}

template <int Rows, int N, int Columns> void check_all(const Problem& p) {
  check_norm_matrix_vector<bf16, Rows, N, Columns>(p);
  check_norm_matrix_vector<f32, Rows, N, Columns>(p);
  check_gate_up<Rows, N, Columns>(p);
  check_add<Rows, N, Columns>(p);
}

TEST(MatrixVector, AnyLength) { check_all<2, 128, any_length>({37, 200, 1}); }
TEST(MatrixVector, OfOneLength) { check_all<4, 64, 200>({37, 200, 1}); }
TEST(MatrixVector, WholeTiles) { check_all<2, 64, 256>({16, 256, 1}); }
TEST(MatrixVector, ShorterThanATile) { check_all<8, 256, any_length>({5, 96, 1}); }
TEST(MatrixVector, ForEachOfAFewRows) { check_all<2, 64, 96>({7, 96, 3}); }

TEST(MatrixVector, AnotherLengthThanTheKernelsIsRefused) {
  const auto multiply = kernel<matrix_vector_add<bf16, 2, 64, 128>>("matrix_vector_add", {.strict = true});
  const auto w = zeros<bf16, 2>({8, 96}), a = zeros<bf16, 2>({1, 96});
  auto x = zeros<bf16, 2>({1, 8});
  auto launch = multiply(out(x), w, a);
  EXPECT_THROW(std::move(launch).sync(), LaunchError);
  std::move(launch).cancel();
}

} // namespace
} // namespace tegula::llm::qwen3
