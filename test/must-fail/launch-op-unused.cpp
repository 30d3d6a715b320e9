// An operation that nobody even names.
// flags: -Werror=unused-result -Werror=unused-value
// error: an operation does nothing until sync() or start() runs it
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  kernel<copy>("copy")(std::move(c), a);
}
