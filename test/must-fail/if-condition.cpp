// A tile of several elements as a condition.
// error: a bool 128×64 value for a bool scalar tile
// error-gcc: the value has another shape or element type than the tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  auto x = a[c];
  if_(x > 0, [&] { x = -x; });
  c.store(x);
}
