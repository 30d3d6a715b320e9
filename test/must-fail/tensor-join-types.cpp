// The parts of one tensor have one type.
// error: the parts of one tensor have one type, and each is given up
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  auto [low, high] = Tensor<f32, 1>::zeros(Device::cpu(), {4}).split<0>(2);
  auto whole = join(std::move(low), std::move(high).reshape<2>({1, 2}));
}
