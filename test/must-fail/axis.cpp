// A reduction along an axis that does not exist.
// error: axis 2 of a tile of rank 2: axes count from 0 to rank - 1
// error-gcc: the axis is out of range for this tile's rank
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  auto x = a[c];
  c.store(x - max<2>(x));
}
