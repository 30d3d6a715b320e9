// An index that is a tile.
// error: an index must be a scalar, not a tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a(iota<64>(), 0)); }
