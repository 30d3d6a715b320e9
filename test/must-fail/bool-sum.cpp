// A sum of bools.
// error: fp8 and bool tiles have no arithmetic; write cast<f32>(...) first, or use any or all
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<bool, 1> c, In<bool, 64> a) { c.store(sum<0>(a(0))); }
