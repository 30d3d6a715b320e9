// A sub-tile larger than the tile.
// error: 256×16 is no sub-tile of f32 128×64
// error-gcc: the sub-tile must have the tile's rank and no larger extent
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 256, 16> c, In<f32, 128, 64> a) { c.store(extract<256, 16>(a(0, 0), 0, 0)); }
