// A gather along two axes, one of which does not exist.
// error: axis 2 of a tile of rank 2
// error-gcc: the axis is out of range for this tile's rank
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 4> c, In<f32, 16, 64> a, Index<i32, 8, 4> r) { c.store(gather<0, 2>(a, r(0, 0), r(0, 0))); }
