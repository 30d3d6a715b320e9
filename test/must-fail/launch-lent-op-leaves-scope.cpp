// An operation that is lent a tensor cannot be moved out of the tensor's scope, even if it owns its inputs.
// error: deleted
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}).share();
  auto c = Tensor<f32, 1>::zeros(device, {64});
  auto op = kernel<copy>()(out(c), a);
  auto other = std::move(op);
  std::move(other).sync();
}
