// A store to an output of several tiles without saying which.
// error: an Outs has several tiles; write for (auto t : c.my_tiles()) t.store(...)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Outs<f32, 64> c) { c.store(zeros<f32, 64>()); }
