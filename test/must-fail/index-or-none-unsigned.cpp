// An unsigned type, which has no -1.
// error: -1 stands for none: the element type of an IndexOrNone is signed
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<u32, 8> c, DistinctIndexOrNone<u32, 8> n) { c.store(n[c]); }
