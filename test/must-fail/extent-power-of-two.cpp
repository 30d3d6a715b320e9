// A tile with an extent that is not a power of two.
// error: a tile of 128×48: every extent must be a power of two
// error-gcc: every extent of a tile must be a power of two
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 48> c, In<f32, 128, 48> a) { c.store(a[c]); }
