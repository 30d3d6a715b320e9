// A sub-tile without its extents.
// error: load needs the sub-tile's extents: load<16, 64>(a, i, j); for a whole tile write a(i, j)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(load(a, c.at(0))); }
