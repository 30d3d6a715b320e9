// An operation that is lent a tensor, and is returned while the tensor dies.
// flags: -Werror=consumed -Werror=return-stack-address
// error: address of stack memory associated with local variable 'c' returned
#include "tegula/tegula.hpp"
using namespace tegula;

auto lend(const Device& device) {
  auto c = Tensor<f32, 1>::zeros(device, {64});
  return out(c);
}

int main() { lend(Device::cpu()).again(); }
