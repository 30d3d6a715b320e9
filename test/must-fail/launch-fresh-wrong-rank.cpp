// Extents of two axes for an output of one.
// error: launch parameter 1 has rank 1, its argument rank 2
// error-gcc: a launch argument has another rank than its parameter
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  auto a = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  auto c = kernel<copy>()(fresh(8, 8), a).sync();
}
