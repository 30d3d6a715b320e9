// A store to an output of several tiles without saying which.
// error: an OutTiles has several tiles; write for (auto t : c.my_tiles()) t.store(...)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(OutTiles<f32, 64> c) { c.store(zeros<f32, 64>()); }
