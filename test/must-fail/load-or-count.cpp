// The pad is missing, so that an index is taken for it.
// error: load_or with tiles of f32 128×64 takes 2 tile indices, not 1
// error-gcc: load_or takes one tile index per axis, or an output tile, then the pad
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a.load_or(0, 0, or_padding)); }
