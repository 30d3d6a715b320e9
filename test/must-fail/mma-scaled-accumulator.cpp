// A block-scaled product into something that is not f32.
// error: mma_scaled of f8e4m3 64×64 and f8e4m3 64×64 into f16 64×64: it takes fp8, and bf16 or f16 without scales, into f32
// error-gcc: mma_scaled: no such combination of element types
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f16, 64, 64> c, In<f8e4m3, 64, 64> a, In<f8e4m3, 64, 64> b, In<f8e8m0, 2, 64> s) {
  c.store(mma_scaled(a[c], unscaled, b[c], s(0, 0), zeros<f16, 64, 64>()));
}
