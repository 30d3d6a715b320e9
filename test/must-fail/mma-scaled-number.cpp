// A host number for scales.
// error: mma_scaled: the scales of an operand are a tile, or `unscaled`
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<f8e4m3, 64, 64> a, In<f8e4m3, 64, 64> b, In<f8e8m0, 64, 2> s) {
  c.store(mma_scaled(a[c], s(0, 0), b[c], 1.0f, zeros<f32, 64, 64>()));
}
