// A gather along two axes whose positions have one.
// error: positions along two axes are tiles of rank 2, which broadcast against each other
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 8> c, In<f32, 16, 64> a, Index<i32, 8> r) { c.store(gather<0, 1>(a, r(0), r(0))); }
