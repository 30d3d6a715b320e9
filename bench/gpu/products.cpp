// Matrix × vector, replayed from a graph with weights that are in no cache; and matrix products.
#include "bench/gpu/Inputs.h"
#include "bench/gpu/Work.h"

#include "kernels/matrix_product.hpp"
#include "kernels/matrix_vector.hpp"

#include <cmath>
#include <memory>

namespace tegula::bench {
namespace {

std::string shape(i64 rows, i64 columns) { return std::to_string(rows) + "x" + std::to_string(columns); }

double dot(const double* a, const double* b, i64 count, i64 stride) {
  double sum = 0;
  for (i64 i = 0; i < count; ++i)
    sum += a[i] * b[i * stride];
  return sum;
}

struct VectorSet {
  Tensor<bf16, 2> w;
  Tensor<bf16, 1> x, y;
};
using VectorSets = std::shared_ptr<std::vector<VectorSet>>;

template <int Rows, int N> void add_matrix_vector(std::vector<Variant>& variants, const VectorSets& sets, int warps) {
  variants.push_back({shape(Rows, N) + ", " + std::to_string(warps) + " warps",
                      [sets, multiply = kernel<kernels::matrix_vector<bf16, Rows, N>>("matrix_vector", {.warps = warps})](
                          int i, const Queue& queue) {
                        VectorSet& set = (*sets)[i];
                        set.y = multiply(std::move(set.y), set.w, set.x).start(queue);
                      }});
}

Ready prepare_matrix_vector(const Device& device, i64 rows, i64 columns) {
  auto sets = std::make_shared<std::vector<VectorSet>>();
  const int count = sets_for(2.0 * static_cast<double>(rows * columns));
  for (int i = 0; i < count; ++i)
    sets->push_back({normal<bf16>(device, Extents<2>{rows, columns}, 2 * u64(i)),
                     normal<bf16>(device, Extents<1>{columns}, 2 * u64(i) + 1), poisoned<bf16, 1>(device, {rows})});
  std::vector<Variant> variants;
  add_matrix_vector<1, 512>(variants, sets, 2);
  add_matrix_vector<2, 512>(variants, sets, 1);
  add_matrix_vector<4, 512>(variants, sets, 1);
  add_matrix_vector<4, 512>(variants, sets, 2);
  add_matrix_vector<8, 512>(variants, sets, 4);
  add_matrix_vector<2, 1024>(variants, sets, 2);
  add_matrix_vector<4, 1024>(variants, sets, 4);
  const auto spoil = [=] { poison(device, sets->front().y); };
  const auto check = [=] {
    const VectorSet& set = sets->front();
    const std::vector<double> x = sample(set.x, 0, columns);
    for (auto [from, to] : spots(rows, 8)) {
      const std::vector<double> w = sample(set.w, from, to);
      std::vector<double> expected;
      for (i64 row = 0; row < to - from; ++row)
        expected.push_back(dot(w.data() + row * columns, x.data(), columns, 1));
      check_close("matrix × vector, rows from " + std::to_string(from), sample(set.y, from, to), expected, rounding<bf16>,
                  1e-2 * std::sqrt(static_cast<double>(columns)));
    }
  };
  return ready(device, {.sets = count, .variants = std::move(variants), .poison = spoil, .check = check}, How::replayed);
}

struct ProductSet {
  Tensor<bf16, 2> a, b;
  Tensor<f32, 2> c;
};
using ProductSets = std::shared_ptr<std::vector<ProductSet>>;

template <int BM, int BN, int BK> void add_product(std::vector<Variant>& variants, const ProductSets& sets, int warps) {
  variants.push_back({shape(BM, BN) + "x" + std::to_string(BK) + ", " + std::to_string(warps) + " warps",
                      [sets, multiply = kernel<kernels::matrix_product<bf16, BM, BN, BK>>("matrix_product", {.warps = warps})](
                          int i, const Queue& queue) {
                        ProductSet& set = (*sets)[i];
                        set.c = multiply(std::move(set.c), set.a, set.b).start(queue);
                      }});
}

Ready prepare_product(const Device& device, i64 n) {
  auto sets = std::make_shared<std::vector<ProductSet>>();
  const int count = sets_for(8.0 * static_cast<double>(n * n));
  for (int i = 0; i < count; ++i)
    sets->push_back({normal<bf16>(device, Extents<2>{n, n}, 2 * u64(i)), normal<bf16>(device, Extents<2>{n, n}, 2 * u64(i) + 1),
                     poisoned<f32, 2>(device, {n, n})});
  std::vector<Variant> variants;
  add_product<64, 64, 32>(variants, sets, 4);
  add_product<128, 64, 32>(variants, sets, 4);
  add_product<128, 128, 32>(variants, sets, 4);
  add_product<128, 128, 32>(variants, sets, 8);
  const auto spoil = [=] { poison(device, sets->front().c); };
  const auto check = [=] {
    const ProductSet& set = sets->front();
    const std::vector<double> b = as_doubles(set.b.to_host());
    for (auto [row, end] : spots(n, 1)) {
      const std::vector<double> a = sample(set.a, row, end), c = sample(set.c, row, end);
      std::vector<double> got, expected;
      for (i64 column = 0; column < n; column += 1 + n / 61) {
        got.push_back(c[column]);
        expected.push_back(dot(a.data(), b.data() + column, n, n));
      }
      check_close("product, row " + std::to_string(row), got, expected, 1e-4, std::sqrt(static_cast<double>(n)));
    }
  };
  return ready(device, {.sets = count, .variants = std::move(variants), .poison = spoil, .check = check});
}

} // namespace

void add_product_cases(std::vector<Case>& cases, const Device& device, Size size) {
  using Shapes = std::vector<std::pair<i64, i64>>;
  for (auto [rows, columns] :
       size == Size::full
           ? Shapes{{19456, 2560}, {2560, 9728}, {6144, 2560}, {2560, 4096}, {151936, 2560}, {51200, 5120}, {5120, 25600}}
           : Shapes{{40, 1280}})
    cases.push_back({.bench = "matrix_vector bf16",
                     .what = shape(rows, columns),
                     .unit = "GB/s",
                     .amount = 2e-9 * static_cast<double>(rows * columns),
                     .prepare = [=] { return prepare_matrix_vector(device, rows, columns); }});
  for (i64 n : size == Size::full ? std::vector<i64>{1024, 2048, 4096, 8192} : std::vector<i64>{128})
    cases.push_back({.bench = "matrix_product bf16",
                     .what = std::to_string(n) + "^3",
                     .unit = "TFLOP/s",
                     .amount = 2e-12 * std::pow(static_cast<double>(n), 3),
                     .prepare = [=] { return prepare_product(device, n); }});
}

} // namespace tegula::bench
