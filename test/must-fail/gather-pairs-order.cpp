// A gather along two axes, the second one first.
// error: gather names its two axes in order, the lower one first
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 4> c, In<f32, 16, 64> a, Index<i32, 8, 4> r) { c.store(gather<1, 0>(a, r(0, 0), r(0, 0))); }
