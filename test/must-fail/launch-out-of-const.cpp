// A tensor that is const cannot be written.
// error: out(tensor) lends a tensor to be written: it has a name, and is not const
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  const auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  kernel<copy>()(out(c), a).sync();
}
