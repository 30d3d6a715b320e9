// 14: a step of an optimiser, in place.
//
// An InOut<> is an output that a program may also read: its own tile, and no other, so nobody else is writing what it reads. The
// parameters and their momentum are both updated by one kernel. Each is lent by out(): it is written where it is, and nothing has
// to be taken back.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int N> void step(InOut<f32, N> weights, InOut<f32, N> momentum, In<f32, N> gradient, Scalar<f32> rate) {
  auto m = momentum.load() * 0.9 + gradient[weights] * 0.1;
  weights.store(weights.load() - rate * m);
  momentum.store(m);
}

int main() {
  constexpr i64 size = 3000;
  const auto host_weights = some_numbers(size, 24), host_gradient = some_numbers(size, 25);

  Device device = Device::best();
  auto weights = Tensor<f32, 1>::from_host(device, {size}, host_weights);
  auto momentum = Tensor<f32, 1>::zeros(device, {size});
  auto gradient = Tensor<f32, 1>::from_host(device, {size}, host_gradient);
  auto update = kernel<step<256>>();
  for (int i = 0; i < 3; ++i)
    update(out(weights), out(momentum), gradient, 0.5).sync();

  std::vector<double> expected(host_weights.begin(), host_weights.end());
  for (i64 e = 0; e < size; ++e) {
    double m = 0;
    for (int i = 0; i < 3; ++i) {
      m = m * 0.9 + host_gradient[e] * 0.1;
      expected[e] -= 0.5 * m;
    }
  }
  return compare("in place", weights.to_host(), expected, 1e-6);
}
