// A require of a host condition.
// error: the condition of require must be a tile of bool
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  require(1 < 2, "order");
  c.store(a[c]);
}
