// A waiver without a reason at all.
// error: unsafe
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(a(3, unsafe)); }
