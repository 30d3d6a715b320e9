// A fractional host number as an index.
// error: an index must be a host integer or an integer scalar
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a(0.5, 0)); }
