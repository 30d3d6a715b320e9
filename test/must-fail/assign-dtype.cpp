// An assignment of a tile with another element type.
// error: a bf16 128×64 value for a f32 128×64 tile: shape and element type must be the same
// error-gcc: the value has another shape or element type than the tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  auto x = a[c];
  x = cast<bf16>(x);
  c.store(x);
}
