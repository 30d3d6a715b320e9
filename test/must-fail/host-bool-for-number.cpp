// A host bool where a number is needed.
// error: a host bool where a number is needed; write 0 or 1
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i32, 64> c, In<i32, 64> a) { c.store(a[c] + true); }
