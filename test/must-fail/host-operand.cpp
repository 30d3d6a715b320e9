// An operand that is neither a tile nor a number.
// error: the operand is neither a tile nor a host number (load a tile from a parameter first)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a[c] + a); }
