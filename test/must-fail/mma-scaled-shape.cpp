// Scales that are not one for each row and block of a.
// error: mma_scaled: f8e8m0 2×64 are no scales of f8e4m3 64×64, a: they must be f8e8m0, [..., M, K / block]
// error-gcc: mma_scaled: scales must be f8e8m0, [..., M, K / block] of a and [..., K / block, N] of b
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<f8e4m3, 64, 64> a, In<f8e8m0, 2, 64> s, In<f8e4m3, 64, 64> b) {
  c.store(mma_scaled(a[c], s(0, 0), b[c], s(0, 0), zeros<f32, 64, 64>()));
}
