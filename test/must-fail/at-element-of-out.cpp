// An output is written by the tile.
// error: no member named 'at_element' in 'tegula::Out<float, 64>'
// error-gcc: has no member named
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c] + c.at_element(0)); }
