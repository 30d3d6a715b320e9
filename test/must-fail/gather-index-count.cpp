// A gather with an index for the gathered axis.
// error: gather on tiles of f32 16×64 takes 1 tile indices after the tiles, one for each other axis, not 2
// error-gcc: gather takes the positions, then one tile index for each other axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 64> c, In<f32, 16, 64> a, Index<i32, 8> n) { c.store(gather<0>(a, n(0), 0, 0)); }
