// A product of element types that do not go together.
// error: mma of bf16 64×64 and f16 64×64 into f32 64×64: no such combination of element types
// error-gcc: mma: no such combination of element types
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<bf16, 64, 64> a, In<f16, 64, 64> b) { c.store(mma(a[c], b[c], zeros<f32, 64, 64>())); }
