// The pad is missing, so that an offset is taken for it.
// error: at_element_or on tiles of f32 128×64 takes 2 element offsets, one for each axis, not 1
// error-gcc: at_element_or takes one element offset per axis, then the pad
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a.at_element_or(0, 0, or_padding)); }
