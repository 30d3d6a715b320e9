// A host number where a tile is needed.
// error: a host number where a f32 128×64 tile is needed; write full<T, extents...>(number)
// error-gcc: a host number where a tile is needed; write full<T, extents...>(number)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  Tile<f32, 128, 64> x = 0.0f;
  c.store(x + a[c]);
}
