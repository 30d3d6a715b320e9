// A store to an accumulate-only output.
// error: an accumulate-only output is not stored to; write c.accumulate(x, i, j)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<f32, 64> c) { c.store(zeros<f32, 64>()); }
