// A split into pieces larger than the tile.
// error: a tile of 128×64 does not split into pieces of 256×16
// error-gcc: the pieces must have the tile's rank and no larger extent
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  for (auto t : split<256, 16>(c))
    t.store(load<256, 16>(a, t.row(), t.col()));
}
