// A select whose condition is no bool.
// error: the condition of select must be a tile of bool
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  auto x = a[c];
  c.store(select(x, x, x * 2));
}
