// 06: RMSNorm: each row divided by the root of the mean of its squares, then scaled by a vector of weights.
//
// The tensors are bf16, the arithmetic is f32: element types never mix by themselves, cast<> says where they change. The weights
// have rank 1; a tile of N of them broadcasts over the rows.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int Rows, int N> void rms_norm(Out<bf16, Rows, N> y, In<bf16, Rows, N> x, In<bf16, N> weight, Scalar<f32> epsilon) {
  auto row = cast<f32>(x[y]);
  auto mean =
      sum<1>(row * row) / cast<f32>(x.extent(1)); // extent(1): how many columns the tensor has; padding adds zeros to the sum
  y.store(cast<bf16>(row * rsqrt(mean + epsilon) * cast<f32>(weight(0))));
}

int main() {
  constexpr i64 rows = 33, columns = 480;
  const auto host_x = some_numbers<bf16>(rows * columns, 8), host_weight = some_numbers<bf16>(columns, 9);

  Device device = Device::best();
  auto x = Tensor<bf16, 2>::from_host(device, {rows, columns}, host_x);
  auto weight = Tensor<bf16, 1>::from_host(device, {columns}, host_weight);
  const double epsilon = 1e-6;
  auto y = kernel<rms_norm<4, 512>>()(fresh(rows, columns), x, weight, epsilon).sync();

  std::vector<f32> expected(rows * columns);
  for (i64 i = 0; i < rows; ++i) {
    double squares = 0;
    for (i64 j = 0; j < columns; ++j)
      squares += double(host_x[i * columns + j]) * host_x[i * columns + j];
    for (i64 j = 0; j < columns; ++j)
      expected[i * columns + j] = f32(host_x[i * columns + j] * host_weight[j] / std::sqrt(squares / columns + epsilon));
  }
  return compare("rms norm", y.to_host(), expected, 1e-2); // bf16 has 8 bits
}
