// An assignment of a tile with another shape.
// error: a f32 128×1 value for a f32 128×64 tile: shape and element type must be the same
// error-gcc: the value has another shape or element type than the tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  auto x = a[c];
  x = sum<1>(x);
  c.store(x);
}
