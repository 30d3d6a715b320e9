// Two tiles whose shapes do not broadcast.
// error: f32 128×64 + f32 32×64: the shapes do not broadcast: axis 0 is 128 and 32
// error-gcc: the shapes do not broadcast: extents must be equal or 1
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, In<f32, 32, 64> b) { c.store(a[c] + b(0, 0)); }
