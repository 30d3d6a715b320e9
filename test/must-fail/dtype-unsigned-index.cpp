// An i64 with an unsigned integer: only signed ones are widened.
// error: i64 64 + u32 64: the element types differ
// error-gcc: the element types differ
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i64, 64> c, In<i64, 64> a, In<u32, 64> b) { c.store(a[c] + b[c]); }
