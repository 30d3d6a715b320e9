// A view that is returned while its tensor dies.
// flags: -Werror=consumed -Werror=return-stack-address
// error: address of stack memory associated with local variable 'a' returned
#include "tegula/tegula.hpp"
using namespace tegula;

auto view(const Device& device) {
  auto a = Tensor<f32, 1>::zeros(device, {64});
  return a.view();
}

int main() { return static_cast<int>(view(Device::cpu()).size()); }
