// A gather along an axis that does not exist.
// error: axis 2 of a tile of rank 2
// error-gcc: the axis is out of range for this tile's rank
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 64> c, In<f32, 16, 64> a, Index<i32, 8> n) { c.store(gather<2>(a, n(0), 0)); }
