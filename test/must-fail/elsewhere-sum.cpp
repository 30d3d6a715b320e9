// A reduction without an axis.
// error: sum() works along an axis; write sum<Axis>(x)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c] / sum(a[c])); }
