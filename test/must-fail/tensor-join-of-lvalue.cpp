// Parts are given up to be joined.
// error: parts are given up to be joined: write join(std::move(low), std::move(high))
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  auto [low, high] = Tensor<f32, 1>::zeros(Device::cpu(), {4}).split<0>(2);
  join(low, high);
}
