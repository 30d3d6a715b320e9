// A bitcast between different widths.
// error: bitcast between element types of different width
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<u16, 64> c, In<f32, 64> a) { c.store(bitcast<u16>(a[c])); }
