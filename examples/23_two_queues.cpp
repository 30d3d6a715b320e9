// 23: two branches that run beside each other, and join.
//
// Work on one queue is done in its order, and queues run beside each other. join reads what both branches write: that it comes
// after them is seen by the run time, from the tensors, and not said by anybody.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int BM, int BN, int BK> void product(Out<f32, BM, BN> c, In<f32, BM, BK> a, In<f32, BK, BN> b) {
  expects(a.extent(1) == b.extent(0), "the factors fit each other");
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), b(k, c.col()), sum);
  c.store(sum);
}
template <int N> void join(Out<f32, 1, N> z, In<f32, 1, N> left, In<f32, 1, N> right) { z.store(maximum(left[z], right[z])); }

int main() {
  constexpr i64 n = 130;
  const auto host_x = some_numbers(n * n, 81), host_w = some_numbers(n * n, 82), host_v = some_numbers(n * n, 83);
  Device device = Device::best();
  auto matrix = [&](const std::vector<f32>& host) { return Tensor<f32, 2>::from_host(device, {n, n}, host); };
  auto x = matrix(host_x), w = matrix(host_w), v = matrix(host_v);

  auto multiply = kernel<product<32, 32, 32>>();
  Queue left(device), right(device);
  auto l = multiply(fresh(n, n), x, w).start(left);
  auto r = multiply(fresh(n, n), x, v).start(right);
  auto z = kernel<join<128>>()(fresh(n, n), l, r).sync();

  std::vector<double> expected(n * n);
  for (i64 i = 0; i < n; ++i)
    for (i64 j = 0; j < n; ++j) {
      double a = 0, b = 0;
      for (i64 k = 0; k < n; ++k) {
        a += double(host_x[i * n + k]) * host_w[k * n + j];
        b += double(host_x[i * n + k]) * host_v[k * n + j];
      }
      expected[i * n + j] = std::max(a, b);
    }
  return compare("two queues", z.to_host(), expected, 1e-4);
}
