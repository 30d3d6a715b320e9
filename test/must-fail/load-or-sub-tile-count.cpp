// The pad of a sub-tile is missing, so that an index is taken for it.
// error: load_or needs one sub-tile index per axis, then the pad
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 16, 64> c, In<f32, 128, 64> a) { c.store(load_or<16, 64>(a, 0, 0)); }
