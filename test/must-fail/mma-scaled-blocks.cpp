// Blocks of different sizes.
// error: mma_scaled: a has 2 blocks along K, b has 4; they must be equal
// error-gcc: mma_scaled: a and b must have equal blocks along K
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<f8e4m3, 64, 64> a, In<f8e8m0, 64, 2> as, In<f8e4m3, 64, 64> b, In<f8e8m0, 4, 64> bs) {
  c.store(mma_scaled(a[c], as(0, 0), b[c], bs(0, 0), zeros<f32, 64, 64>()));
}
