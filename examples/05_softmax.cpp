// 05: softmax of each row, in one kernel: the row is read once and written once.
//
// A tile holds some whole rows. max<1> and sum<1> reduce along axis 1 and keep it, with extent 1, so that the result broadcasts
// back over the row. What lies outside the tensor must not count: it reads as minus infinity, whose exponential is 0.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int Rows, int Columns> void softmax(Out<f32, Rows, Columns> y, In<f32, Rows, Columns> x) {
  auto row = x.load_or(y, -INFINITY);
  auto weights = exp(row - max<1>(row)); // without the maximum, exp could overflow
  y.store(weights / sum<1>(weights));
}

int main() {
  constexpr i64 rows = 77, columns = 1000; // the tile's extent is a power of two: 1024 columns hold 1000
  auto host = some_numbers(rows * columns, 7);
  for (f32& number : host)
    number *= 20;

  Device device = Device::best();
  auto x = Tensor<f32, 2>::from_host(device, {rows, columns}, host);
  auto y = kernel<softmax<4, 1024>>()(fresh(rows, columns), x).sync();

  std::vector<f32> expected(rows * columns);
  for (i64 i = 0; i < rows; ++i) {
    double largest = -INFINITY, sum = 0;
    for (i64 j = 0; j < columns; ++j)
      largest = std::fmax(largest, host[i * columns + j]);
    for (i64 j = 0; j < columns; ++j)
      sum += std::exp(host[i * columns + j] - largest);
    for (i64 j = 0; j < columns; ++j)
      expected[i * columns + j] = f32(std::exp(host[i * columns + j] - largest) / sum);
  }
  return compare("softmax", y.to_host(), expected, 1e-6);
}
