// A gather along two axes without an index for the third.
// error: gather along two axes on tiles of f32 16×64×4 takes 1 tile indices after the tiles, one for each other axis, not 0
// error-gcc: gather along two axes takes the positions along each, then one tile index for each other axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 4, 4> c, In<f32, 16, 64, 4> a, Index<i32, 8, 4> r) { c.store(gather<0, 1>(a, r(0, 0), r(0, 0))); }
