// A tensor is given up to be split.
// error: a tensor is given up to be split: write std::move(tensor).split<0>(...)
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  auto t = Tensor<f32, 1>::zeros(Device::cpu(), {4});
  t.split<0>(2);
}
