// A store of a tile with the wrong shape.
// error: store of f32 64×128 into an output tile of f32 128×64: the shapes differ
// error-gcc: store: the tile's shape or element type is not that of the output tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(transpose(a[c])); }
