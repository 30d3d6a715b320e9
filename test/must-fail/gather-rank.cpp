// A gather whose positions have two axes.
// error: positions are a tile of rank 1
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8> c, In<f32, 64> a, Index<i32, 1, 8> n) { c.store(gather<0>(a, n(0, 0))); }
