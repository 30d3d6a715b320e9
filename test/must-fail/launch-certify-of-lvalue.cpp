// certify() takes the tensor: a certificate is about values that cannot change.
// error: a certified tensor cannot be changed: write certify(std::move(tensor), ...)
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  auto rows = Tensor<i32, 1>::zeros(Device::cpu(), {64});
  auto certified = certify(rows, 64);
}
