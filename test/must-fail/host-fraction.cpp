// A fractional host number with a tile of integers.
// error: a fractional host number with an integer tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i32, 64> c, In<i32, 64> a) { c.store(a[c] * 0.5); }
