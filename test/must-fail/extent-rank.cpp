// A tile with too many axes.
// error: a tile has at most 6 axes
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 1, 1, 1, 1, 1, 1, 1> c) { c.store(zeros<f32, 1, 1, 1, 1, 1, 1, 1>()); }
