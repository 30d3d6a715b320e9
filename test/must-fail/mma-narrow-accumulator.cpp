// A product that would accumulate in 16 bits.
// error: mma of f16 64×64 and f16 64×64 into f16 64×64: no such combination of element types
// error-gcc: mma: no such combination of element types
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f16, 64, 64> c, In<f16, 64, 64> a) { c.store(mma(a[c], a[c], zeros<f16, 64, 64>())); }
