// The largest of two tiles.
// error: max() works along an axis; write max<Axis>(x); of two tiles, maximum(a, b)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(max(a[c], 0)); }
