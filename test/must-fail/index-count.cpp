// Too few indices.
// error: an input with tiles of f32 128×64 takes 2 tile indices, not 1
// error-gcc: an input takes one tile index per axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a(c.row())); }
