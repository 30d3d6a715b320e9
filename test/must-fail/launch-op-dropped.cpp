// An operation that is never run.
// flags: -Werror=consumed
// error: invalid invocation of method '~Op
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  auto op = kernel<copy>("copy")(std::move(c), a);
}
