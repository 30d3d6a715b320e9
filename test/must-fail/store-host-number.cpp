// A store of a host number.
// error: store needs a tile; for a host number write full<T, extents...>(number)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c) { c.store(1.0f); }
