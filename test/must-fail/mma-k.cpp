// A product whose inner extents differ.
// error: mma of bf16 128×64 and bf16 32×128 into f32 128×128: K differs
// error-gcc: the K of a and b differ
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 128> c, In<bf16, 128, 64> a, In<bf16, 32, 128> b) {
  c.store(mma(a(0, 0), b(0, 0), zeros<f32, 128, 128>()));
}
