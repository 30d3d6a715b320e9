// A gather along two axes with a number for the positions along one.
// error: positions along two axes are two tiles of integers, of rank 2
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 4> c, In<f32, 16, 64> a, Index<i32, 8, 4> r) { c.store(a.gather(axis<0>, r(0, 0), axis<1>, 3)); }
