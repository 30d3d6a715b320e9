// A product into an accumulator of the wrong shape.
// error: mma of bf16 128×64 and bf16 64×128 into f32 128×64: acc must have the rows of a and the columns of b
// error-gcc: acc has the wrong shape
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<bf16, 128, 64> a, In<bf16, 64, 128> b) {
  c.store(mma(a(0, 0), b(0, 0), zeros<f32, 128, 64>()));
}
