// Scales of numbers that are not fp8.
// error: mma_scaled: bf16 64×64 has scales, so it must be f8e4m3 or f8e5m2
// error-gcc: mma_scaled: an operand with scales must be f8e4m3 or f8e5m2
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<bf16, 64, 64> a, In<f8e8m0, 64, 2> s, In<f8e4m3, 64, 64> b) {
  c.store(mma_scaled(a[c], s(0, 0), b[c], unscaled, zeros<f32, 64, 64>()));
}
