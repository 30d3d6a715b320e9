// Too few element offsets.
// error: at_element on tiles of f32 128×64 takes 2 element offsets, one for each axis, not 1
// error-gcc: at_element takes one element offset per axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a.at_element(c.row() * 128 - 1)); }
