// A store to a patch without saying where.
// error: a Patch has several tiles; write p.tile(i, j).store(...)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Patch<f32, 64> p) { p.store(zeros<f32, 64>()); }
