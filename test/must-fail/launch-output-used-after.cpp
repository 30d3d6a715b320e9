// A tensor that was given up as an output is used again.
// flags: -Werror=consumed
// error: invalid invocation of method 'to_host' on object 'c' while it is in the 'consumed' state
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  auto d = kernel<copy>("copy")(std::move(c), a).sync();
  return static_cast<int>(c.to_host().size() + d.to_host().size());
}
