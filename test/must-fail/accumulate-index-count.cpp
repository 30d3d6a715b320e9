// An accumulation with too few indices.
// error: an output with tiles of f32 16×64 takes 2 tile indices, not 1
// error-gcc: accumulate takes the tile, then one tile index per axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<f32, 16, 64> c) { c.accumulate(zeros<f32, 16, 64>(), 0, or_padding); }
