// Bounds before an index.
// error: or_padding and unsafe(...) come last
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 8> c, In<f32, 16, 64> a) { c.store(load<8, 8>(a, 0, or_padding, 1)); }
