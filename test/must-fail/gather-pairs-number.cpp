// A gather along two axes with a number for the positions along one.
// error: positions along two axes are two tiles of integers, of rank 2
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 4> c, In<f32, 16, 64> a, Index<i32, 8, 4> r) { c.store(gather<0, 1>(a, r(0, 0), 3)); }
