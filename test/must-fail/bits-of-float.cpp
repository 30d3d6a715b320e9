// A bit operator on floats.
// error: bit operators need integer tiles
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a[c] & a[c]); }
