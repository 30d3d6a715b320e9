// 27: several coroutines on one device.
//
// co_await of an operation starts it, and the coroutine goes on when the work is done: no thread waits meanwhile. Here each
// coroutine improves its own numbers until they are good enough, which only it can tell, and their steps take turns on the device.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

/// One step of Heron's method for square roots, and how much it changed.
template <int N> void heron(Out<f32, 1, N> y, Out<f32, 1, 1> change, In<f32, 1, N> x, In<f32, 1, N> squares) {
  auto better = (x[y] + squares[y] / x[y]) * 0.5;
  change.store(reshape<1, 1>(max<1>(abs(better - x[y]))));
  y.store(better);
}

constexpr i64 size = 256;

Task<Tensor<f32, 2>> roots(Tensor<f32, 2> squares) {
  const auto improve = kernel<heron<size>>();
  auto x = squares.copy();
  f32 change = 1;
  while (change > 1e-5f) {
    auto [better, moved] = co_await improve(fresh(1, size), fresh(1, 1), x, squares);
    x = std::move(better);
    change = moved.item();
  }
  co_return x;
}

int main() {
  constexpr int batches = 5;
  Device device = Device::best();
  std::vector<std::vector<f32>> expected(batches);
  std::vector<Task<Tensor<f32, 2>>> tasks;
  for (int i = 0; i < batches; ++i) {
    std::vector<f32> squares;
    for (f32 number : some_numbers(size, 101 + i)) {
      const f32 root = (number + 1.5f) * static_cast<f32>(i + 1);
      expected[i].push_back(root);
      squares.push_back(root * root);
    }
    tasks.push_back(roots(Tensor<f32, 2>::from_host(device, {1, size}, squares)).start());
  }

  int failed = 0;
  for (int i = 0; i < batches; ++i)
    failed |= compare("await", std::move(tasks[i]).sync().to_host(), expected[i], 1e-5);
  return failed;
}
