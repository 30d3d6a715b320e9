// A scatter of a tile with another number of slices than positions.
// error: a f32 16×64 value for an output tile of f32 8×64: the shapes differ
// error-gcc: the value's shape or element type is not that of the output tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Patch<f32, 16, 64> p, DistinctIndex<i32, 8> n) { scatter<0>(p, n(0), zeros<f32, 16, 64>(), 0); }
