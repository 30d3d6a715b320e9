// A scatter without the index along the other axis.
// error: scatter on tiles of f32 16×64 takes 1 tile indices after the tiles, one for each other axis, not 0
// error-gcc: scatter takes the positions, the tile, then one tile index for each other axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Patch<f32, 16, 64> p, DistinctIndex<i32, 16> n) { scatter<0>(p, n(0), zeros<f32, 16, 64>()); }
