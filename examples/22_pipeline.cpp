// 22: batches that are computed while the host prepares the next ones.
//
// start() runs an operation and does not wait: it returns the output at once, and whoever uses that waits for it. So the host goes
// on to the next batch while the last one is computed. What a launch reads may be changed or destroyed as soon as it is started:
// here each batch is gone at the end of its turn, and its memory is freed when the kernel has read it.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int N> void squash(Out<f32, N> y, In<f32, N> x, Scalar<f32> scale) { y.store(tanh(x[y] * scale)); }

int main() {
  constexpr i64 size = 10000;
  constexpr int batches = 6;
  Device device = Device::best();
  auto compute = kernel<squash<512>>();

  std::vector<Tensor<f32, 1>> results;
  std::vector<std::vector<f32>> inputs;
  for (int i = 0; i < batches; ++i) {
    inputs.push_back(some_numbers(size, 70 + i)); // the host's part of the work
    auto batch = Tensor<f32, 1>::from_host(device, {size}, inputs.back());
    auto once = compute(fresh(size), batch, 2).start();
    results.push_back(compute(fresh(size), once, 0.5).start()); // in order behind the first
  }

  int failed = 0;
  for (int i = 0; i < batches; ++i) {
    std::vector<f32> expected;
    for (f32 x : inputs[i])
      expected.push_back(std::tanh(0.5f * std::tanh(2 * x)));
    failed |= compare("pipeline", results[i].to_host(), expected, 1e-5); // waits for this one
  }
  return failed;
}
