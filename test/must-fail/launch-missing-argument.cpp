// A launch without one of its arguments.
// error: the kernel has 3 parameters, the launch 2: arguments are missing
// error-gcc: a launch has one argument for each parameter of its kernel
#include "tegula/tegula.hpp"
using namespace tegula;

void add(Out<f32, 64> c, In<f32, 64> a, In<f32, 64> b) { c.store(a[c] + b[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<add>("add")(std::move(c), a).sync();
}
