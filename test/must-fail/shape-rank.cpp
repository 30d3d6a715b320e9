// Two tiles of different rank that do not broadcast.
// error: f32 128×64 * f32 128: the shapes do not broadcast: axis 1 is 64 and 128
// error-gcc: the shapes do not broadcast: extents must be equal or 1
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, In<f32, 128> b) { c.store(a[c] * b(0)); }
