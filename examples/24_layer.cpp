// 24: a layer with weights, as a struct with a const forward().
//
// Tensors are members like any others. forward() takes the queue that it is to run on and returns at once, so layers are called one
// after the other as if each waited for the one before. A step that fails poisons what it was to write: the error comes where the
// result is read, and the program goes on.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int BM, int BN, int BK> void linear(Out<f32, BM, BN> y, In<f32, BM, BK> x, In<f32, BK, BN> w, In<f32, 1, BN> bias) {
  expects(x.extent(1) == w.extent(0), "a row of weights for each column of x");
  auto sum = zeros<f32, BM, BN>();
  for (auto k : x.cols())
    sum = mma(x(y.row(), k), w(k, y.col()), sum);
  require(all<0>(all<1>(sum < 1e6f)), "no sum is that large");
  y.store(maximum(sum + bias(0, y.col()), 0));
}

struct Layer {
  Tensor<f32, 2> weights, bias;

  Tensor<f32, 2> forward(const Queue& queue, const Tensor<f32, 2>& x) const {
    static const auto compute = kernel<linear<32, 32, 32>>();
    return compute(fresh(x.extent(0), weights.extent(1)), x, weights, bias).start(queue);
  }
};

int main() {
  constexpr i64 rows = 40, width = 50;
  const auto host_x = some_numbers(rows * width, 91), host_w = some_numbers(width * width, 92), host_b = some_numbers(width, 93);
  Device device = Device::best();
  std::vector<Layer> model;
  for (int i = 0; i < 3; ++i)
    model.push_back(
        {Tensor<f32, 2>::from_host(device, {width, width}, host_w), Tensor<f32, 2>::from_host(device, {1, width}, host_b)});

  const Queue queue(device);
  const auto run = [&](const std::vector<f32>& input) {
    auto x = Tensor<f32, 2>::from_host(device, {rows, width}, input);
    for (const Layer& layer : model)
      x = layer.forward(queue, x);
    return x;
  };
  auto too_large = host_x;
  too_large[7] = 1e20f;
  auto wrong = run(too_large);
  auto right = run(host_x); // nothing of it comes of what failed

  std::vector<double> expected(host_x.begin(), host_x.end());
  for (int layer = 0; layer < 3; ++layer) {
    std::vector<double> next(rows * width);
    for (i64 i = 0; i < rows; ++i)
      for (i64 j = 0; j < width; ++j) {
        double sum = host_b[j];
        for (i64 k = 0; k < width; ++k)
          sum += expected[i * width + k] * host_w[k * width + j];
        next[i * width + j] = std::max(sum, 0.0);
      }
    expected = next;
  }
  int failed = compare("layers", right.to_host(), expected, 1e-3);
  try {
    wrong.to_host();
    std::printf("layers: a sum that is too large was not found\n");
    failed = 1;
  } catch (const LaunchError& error) {
    std::printf("failed on the way: %s\n", error.what());
  }
  return failed;
}
