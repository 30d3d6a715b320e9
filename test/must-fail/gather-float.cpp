// A gather whose positions are floats.
// error: positions must be integers; write cast<i32>(...)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8> c, In<f32, 64> a, In<f32, 8> n) { c.store(gather<0>(a, n(0))); }
