// any of floats.
// error: any and all need a tile of bool; compare first
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 1> c, In<f32, 64> a) { c.store(any<0>(a(0))); }
