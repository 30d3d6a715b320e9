// A waiver without a reason.
// error: unsafe needs a reason: why is the access right?
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(a(3, unsafe(""))); }
