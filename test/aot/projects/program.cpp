#include "right.hpp"

#include <vector>

using namespace tegula;

int main() {
  const Device device = Device::gpu();
  const auto x = Tensor<f32, 1>::full(device, {50}, 3);
  const auto y = twice(Tensor<f32, 1>::zeros(device, {50}), x).sync();
  return y.to_host() == std::vector<f32>(50, 6) ? 0 : 1;
}
