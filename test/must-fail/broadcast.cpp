// A broadcast along an axis that is not 1.
// error: f32 64 does not broadcast to 64×128
// error-gcc: the tile does not broadcast to this shape
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 128> c, In<f32, 64> a) { c.store(broadcast<64, 128>(a(0))); }
