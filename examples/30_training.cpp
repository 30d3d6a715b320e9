// 30: a training loop: forward, backward and a step of the optimiser, again and again, without waiting for any of them.
//
// Weights and momentum are lent to each step, which writes them where they are. The next forward launch reads the weights, so it
// runs behind that step; what the loop makes and drops is freed when its last reader is done. So nothing races, though nobody says
// what waits for what. A copy in the middle holds the weights of that moment, whatever was started behind it.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

// How far x · w is from what is wanted, for each row of x.
template <int N, int D> void forward(Out<f32, N, 1> error, In<f32, N, D> x, In<f32, 1, D> w, In<f32, N, 1> wanted) {
  expects(x.extent(1) == w.extent(1), "a weight for each column of x");
  auto sums = zeros<f32, N, 1>();
  for (auto j : x.cols())
    sums += sum<1>(x(error.row(), j) * w(0, j));
  error.store(sums - wanted[error]);
}

// How the mean square of the errors changes with each weight, halved.
template <int N, int D> void backward(Out<f32, 1, D> gradient, In<f32, N, D> x, In<f32, N, 1> error) {
  expects(x.extent(0) == error.extent(0), "an error for each row of x");
  auto sums = zeros<f32, 1, D>();
  for (auto i : x.rows())
    sums += sum<0>(x(i, gradient.col()) * error(i, 0));
  gradient.store(sums / cast<f32>(x.extent(0)));
}

template <int D> void update(InOut<f32, 1, D> w, InOut<f32, 1, D> momentum, In<f32, 1, D> gradient, Scalar<f32> rate) {
  auto m = momentum.load() * 0.9 + gradient[w];
  w.store(w.load() - rate * m);
  momentum.store(m);
}

int main() {
  constexpr i64 rows = 200, width = 20;
  constexpr int steps = 60;
  const auto host_x = some_numbers(rows * width, 111), host_wanted = some_numbers(rows, 112);

  Device device = Device::best();
  const auto x = Tensor<f32, 2>::from_host(device, {rows, width}, host_x);
  const auto wanted = Tensor<f32, 2>::from_host(device, {rows, 1}, host_wanted);
  auto weights = Tensor<f32, 2>::zeros(device, {1, width}), momentum = Tensor<f32, 2>::zeros(device, {1, width});
  const auto ahead = kernel<forward<32, 32>>();
  const auto back = kernel<backward<32, 32>>();
  const auto step = kernel<update<32>>();

  const Queue queue(device);
  Tensor<f32, 2> halfway;
  for (int i = 0; i < steps; ++i) {
    const auto error = ahead(fresh(rows, 1), x, weights, wanted).start(queue);
    const auto gradient = back(fresh(1, width), x, error).start(queue);
    step(out(weights), out(momentum), gradient, 0.1).start(queue);
    if (i + 1 == steps / 2)
      halfway = weights.copy(); // behind this step, before the next
  }

  std::vector<double> w(width), m(width), middle;
  for (int i = 0; i < steps; ++i) {
    std::vector<double> gradient(width);
    for (i64 row = 0; row < rows; ++row) {
      double error = -host_wanted[row];
      for (i64 j = 0; j < width; ++j)
        error += host_x[row * width + j] * w[j];
      for (i64 j = 0; j < width; ++j)
        gradient[j] += host_x[row * width + j] * error / rows;
    }
    for (i64 j = 0; j < width; ++j) {
      m[j] = m[j] * 0.9 + gradient[j];
      w[j] -= 0.1 * m[j];
    }
    if (i + 1 == steps / 2)
      middle = w;
  }
  return compare("weights", weights.to_host(), w, 1e-4) + compare("weights halfway", halfway.to_host(), middle, 1e-4);
}
