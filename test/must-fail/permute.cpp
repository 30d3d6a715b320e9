// A permutation that names an axis twice.
// error: permute names every axis of the tile exactly once
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(permute<0, 0>(a[c])); }
