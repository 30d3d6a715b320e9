// An input read at an output of several tiles.
// error: t must be an Out, or a tile of my_tiles(), tile() or split
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(OutTiles<f32, 64> c, In<f32, 64> a) {
  for (auto t : c.my_tiles())
    t.store(a[c]);
}
