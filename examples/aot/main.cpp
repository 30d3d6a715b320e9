// Launches what was compiled while it was built. Nothing here differs from a program that compiles its kernels when it runs.
#include "kernels.hpp"

#include <cstdio>
#include <utility>
#include <vector>

using namespace tegula;

static bool check(const char* name, const std::vector<f32>& found, f32 expected) {
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != expected) {
      std::printf("%s: element %zu is %g, not %g\n", name, i, static_cast<double>(found[i]), static_cast<double>(expected));
      return false;
    }
  std::printf("%s: %zu elements right\n", name, found.size());
  return true;
}

int main() try {
  Device device = Device::gpu();
  std::printf("on %s\n", device.name());

  auto x = Tensor<f32, 1>::full(device, {5000}, 3), y = Tensor<f32, 1>::full(device, {5000}, 1);
  auto z = kernels::saxpy(Tensor<f32, 1>::zeros(device, {5000}), 2, x, y).sync();
  bool right = check("saxpy", z.to_host(), 7);

  for (i64 n : {128, 100}) { // with tiles that divide the tensors, and with tiles that do not
    auto a = Tensor<bf16, 2>::full(device, {n, 96}, bf16(0.5f)), b = Tensor<bf16, 2>::full(device, {96, n}, bf16(2));
    auto c = kernels::product(Tensor<f32, 2>::zeros(device, {n, n}), a, b).sync();
    right &= check("product", c.to_host(), 96);
  }
  return right ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
