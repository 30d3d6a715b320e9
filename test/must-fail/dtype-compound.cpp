// A compound assignment with a tile of another element type.
// error: f32 128×64 - i32 128×64: the element types differ
// error-gcc: the element types differ
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, In<i32, 128, 64> b) {
  auto x = a[c];
  x -= b[c];
  c.store(x);
}
