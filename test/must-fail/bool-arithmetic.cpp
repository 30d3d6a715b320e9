// Arithmetic on bool.
// error: + on bool 64: bool tiles have no arithmetic; write cast<f32>(...) first
// error-gcc: fp8 and bool tiles have no arithmetic
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<bool, 64> c, In<bool, 64> a) { c.store(a[c] + a[c]); }
