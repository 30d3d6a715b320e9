// A reshape that loses elements.
// error: reshape of f32 128×64 to 64×64 must keep the number of elements
// error-gcc: reshape must keep the number of elements
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<f32, 128, 64> a) { c.store(reshape<64, 64>(a(0, 0))); }
