// Slices to write that may lie outside.
// error: a tile that is written must touch the tensor
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Patch<f32, 16, 64> p, DistinctIndex<i32, 16> n) { scatter<0>(p, n(0), zeros<f32, 16, 64>(), 0, or_padding); }
