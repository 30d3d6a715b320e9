// A gather along two axes whose positions do not fit each other.
// error: i32 8×1 and i32 4×1: the shapes do not broadcast: axis 0 is 8 and 4; extents must be equal or 1
// error-gcc: the shapes do not broadcast: extents must be equal or 1
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 1> c, In<f32, 16, 64> a, Index<i32, 8, 1> r, Index<i32, 4, 1> q) {
  c.store(gather<0, 1>(a, r(0, 0), q(0, 0)));
}
