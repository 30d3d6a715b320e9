// An index tensor of floats.
// error: an index tensor has an integer element type
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8> c, Index<f32, 8> n) { c.store(n[c]); }
