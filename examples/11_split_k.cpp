// 11: C = A · B where C is small and the inner axis is long.
//
// C has a single tile here, so one program per tile would leave all cores but one idle. Instead the programs share the inner axis,
// and each adds what it found to C. An AddInto<> is an output that every program may add to, element by element and atomically. No
// program can read it: its value depends on who was first, until the launch is over.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int BM, int BN, int BK> void split_k(AddInto<f32, BM, BN> c, In<f32, BM, BK> a, In<f32, BK, BN> b) {
  // What a launch must look like. It is checked when the kernel is launched, before it runs.
  expects(a.extent(1) == b.extent(0), "A has as many columns as B has rows");

  for (auto i : range(c.count(0)))
    for (auto j : range(c.count(1))) {
      auto sum = zeros<f32, BM, BN>();
      for (auto k : range(this_program(), a.count(1), programs())) // every so-manieth block is ours
        sum = mma(a(i, k), b(k, j), sum);
      c.accumulate(sum, i, j);
    }
}

int main() {
  constexpr i64 m = 30, n = 20, k = 5000;
  const auto x = some_numbers(m * k, 19), y = some_numbers(k * n, 20);

  Device device = Device::best();
  auto a = Tensor<f32, 2>::from_host(device, {m, k}, x);
  auto b = Tensor<f32, 2>::from_host(device, {k, n}, y);
  auto multiply = kernel<split_k<32, 32, 64>>();
  auto c = Tensor<f32, 2>::zeros(device, {m, n});
  multiply(out(c), a, b).programs(8).sync(); // c is lent: it stays where it is

  std::vector<f32> expected(m * n);
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) {
      double sum = 0;
      for (i64 l = 0; l < k; ++l)
        sum += double(x[i * k + l]) * y[l * n + j];
      expected[i * n + j] = f32(sum);
    }
  int failed = compare("split-K", c.to_host(), expected, 1e-4);

  // What the kernel expects is not what it gets: nothing has run, and c is as it was.
  try {
    multiply(out(c), b, a).programs(8).sync();
    std::printf("split-K: a launch of matrices that do not fit was not refused\n");
    failed = 1;
  } catch (const LaunchError& error) {
    std::printf("refused: %s\n", error.what());
    failed |= compare("split-K, still", c.to_host(), expected, 1e-4);
  }
  return failed;
}
