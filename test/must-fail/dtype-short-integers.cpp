// Two short integers: nothing but i64 takes others.
// error: i32 64 + i16 64: the element types differ
// error-gcc: the element types differ
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i32, 64> c, In<i32, 64> a, In<i16, 64> b) { c.store(a[c] + b[c]); }
