// reshape() takes the tensor, so the tensor must be moved into it.
// error: a tensor is given up to be reshaped: write std::move(tensor).reshape<...>(...), or view().reshape<...>(...)
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  auto t = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  auto matrix = t.reshape<2>({8, 8});
}
