// A tile of an output with too many indices.
// error: an output with tiles of f32 64 takes 1 tile indices, not 2
// error-gcc: tile takes one tile index per axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(OutTiles<f32, 64> c) { c.tile(0, 1).store(zeros<f32, 64>()); }
