// An input of another element type than the parameter's.
// error: launch parameter 2 has elements of f32, its argument of bf16
// error-gcc: a launch argument has elements of another type than its parameter
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<bf16, 1>::zeros(device, {64});
  auto c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<copy>("copy")(std::move(c), a).sync();
}
