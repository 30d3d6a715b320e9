// A select among tiles whose shapes do not broadcast.
// error: the shapes do not broadcast
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  auto x = a[c];
  c.store(select(x > 0, x, zeros<f32, 64, 64>()));
}
