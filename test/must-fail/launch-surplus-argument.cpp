// A launch with one argument too many.
// error: the kernel has 2 parameters, the launch 3: there are surplus arguments
// error-gcc: a launch has one argument for each parameter of its kernel
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<copy>("copy")(std::move(c), a, a).sync();
}
