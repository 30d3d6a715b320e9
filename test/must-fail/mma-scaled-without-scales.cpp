// No scales at all.
// error: mma_scaled of two operands without scales; write mma(a, b, acc)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<f8e4m3, 64, 64> a, In<f8e4m3, 64, 64> b) {
  c.store(mma_scaled(a[c], unscaled, b[c], unscaled, zeros<f32, 64, 64>()));
}
