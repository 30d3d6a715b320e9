// 03: y = a x + y, with a number that is chosen at each launch.
//
// A Scalar<> is a parameter like any other; the kernel is not compiled again for another value. A short kernel may be a lambda. It
// captures nothing: what it needs comes in as parameters.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

int main() {
  auto saxpy = kernel("saxpy", [](Out<f32, 512> result, Scalar<f32> a, In<f32, 512> x, In<f32, 512> y) {
    result.store(fma(a, x[result], y[result])); // a is repeated for every element, as in NumPy; fma rounds once
  });

  constexpr i64 size = 5000;
  const auto host_x = some_numbers(size, 3), host_y = some_numbers(size, 4);
  Device device = Device::best();
  auto x = Tensor<f32, 1>::from_host(device, {size}, host_x);
  auto y = Tensor<f32, 1>::from_host(device, {size}, host_y);

  int failed = 0;
  for (float a : {2.0f, -0.5f}) {
    auto result = saxpy(fresh(size), a, x, y).sync();

    std::vector<f32> expected(size);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = std::fma(a, host_x[i], host_y[i]);
    failed |= compare("saxpy", result.to_host(), expected);
  }
  return failed;
}
