// A product of scales.
// error: mma of f8e8m0 64×64 and f8e4m3 64×64 into f32 64×64: no such combination of element types
// error-gcc: mma: no such combination of element types
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<f8e8m0, 64, 64> a, In<f8e4m3, 64, 64> b) { c.store(mma(a[c], b[c], zeros<f32, 64, 64>())); }
