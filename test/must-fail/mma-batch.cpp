// A batched product whose leading axes differ.
// error: mma of f32 4×16×16 and f32 2×16×16 into f32 4×16×16: they must have one rank of 2 or more and equal leading axes
// error-gcc: a, b and acc must have one rank of 2 or more and equal leading axes
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 4, 16, 16> c, In<f32, 4, 16, 16> a, In<f32, 2, 16, 16> b) {
  c.store(mma(a[c], b(0, 0, 0), zeros<f32, 4, 16, 16>()));
}
