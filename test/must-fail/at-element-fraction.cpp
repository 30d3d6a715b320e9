// An element offset is an integer.
// error: an index must be a host integer or an integer scalar
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(a.at_element(0.5)); }
