// A group where the kernel takes one tensor.
// error: launch parameter 2 is read: it takes a tensor, a view or a shared tensor
// error-gcc: an In<> takes a tensor, a view or a shared tensor
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<copy>("copy")(std::move(c), group(a)).sync();
}
