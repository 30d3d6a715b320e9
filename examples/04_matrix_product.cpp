// 04: C = A · B, for matrices of any size. The kernel is in 04_matrix_product.hpp; `scripts/demo` shows what becomes of it.
//
// The loop in the kernel is an ordinary C++ loop, but it is not run here: the kernel is *traced*, once, and the loop is recorded as
// a loop. What changes in its body (`sum`) is carried from step to step. mma(x, y, sum) is sum + x · y for whole tiles. Tiles at
// the edge read zeros outside the matrices, which add nothing.
#include "04_matrix_product.hpp"
#include "check.hpp"

using namespace tegula;

int main() {
  constexpr i64 m = 200, n = 300, k = 100;
  const auto x = some_numbers(m * k, 5), y = some_numbers(k * n, 6);

  Device device = Device::best();
  auto a = Tensor<f32, 2>::from_host(device, {m, k}, x);
  auto b = Tensor<f32, 2>::from_host(device, {k, n}, y);

  auto multiply = kernel<examples::matrix_product<64, 64, 64>>();
  auto c = multiply(fresh(m, n), a, b).sync(); // 4 × 5 tiles, so 20 programs

  std::vector<f32> expected(m * n);
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) {
      double sum = 0;
      for (i64 l = 0; l < k; ++l)
        sum += double(x[i * k + l]) * y[l * n + j];
      expected[i * n + j] = f32(sum);
    }
  return compare("matrix product", c.to_host(), expected, 1e-5);
}
