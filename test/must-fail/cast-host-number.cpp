// A cast of a host number.
// error: cast needs a tile; for a host number write the number itself
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c] * cast<f32>(2)); }
