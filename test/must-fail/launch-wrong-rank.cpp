// An input of another rank than the parameter's.
// error: launch parameter 2 has rank 2, its argument rank 1
// error-gcc: a launch argument has another rank than its parameter
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {256});
  auto c = Tensor<f32, 2>::zeros(device, {256, 256});
  c = kernel<copy>("copy")(std::move(c), a).sync();
}
