// A compound assignment that would change the shape of its left side.
// error: f32 128×1 += f32 128×64: the right side does not broadcast to the left side
// error-gcc: a compound assignment cannot change the shape of its left side
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  auto x = zeros<f32, 128, 1>();
  x += a[c];
  c.store(a[c] + x);
}
