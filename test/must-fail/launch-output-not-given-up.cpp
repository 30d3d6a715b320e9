// A tensor by name where the kernel writes: it must be given up or lent.
// error: launch parameter 1 is written: write std::move(tensor) to have it returned, or out(tensor) to lend it
// error-gcc: an output is given up or lent: write std::move(tensor), or out(tensor)
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<copy>("copy")(c, a).sync();
}
