// A store of a tile with the wrong element type.
// error: store of f32 64 into an output tile of bf16 64: the element types differ; write cast<T>(...)
// error-gcc: store: the tile's shape or element type is not that of the output tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<bf16, 64> c, In<f32, 64> a) { c.store(a[c]); }
