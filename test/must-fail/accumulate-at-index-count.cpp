// An accumulation at positions without the index along the other axis.
// error: accumulate_at on tiles of f32 16×64 takes 1 tile indices after the tiles, one for each other axis, not 0
// error-gcc: accumulate_at takes the positions, the tile, then one tile index for each other axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<f32, 16, 64> s, Index<i32, 16> n) { accumulate_at<0>(s, n(0), zeros<f32, 16, 64>(), or_padding); }
