// An operation that is run twice.
// flags: -Werror=consumed
// error: invalid invocation of method 'sync' on a temporary object while it is in the 'consumed' state
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  auto op = kernel<copy>("copy")(std::move(c), a);
  auto first = std::move(op).sync();
  auto second = std::move(op).sync();
}
