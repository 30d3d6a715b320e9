// Arithmetic on scales.
// error: * on f8e8m0 64: f8e8m0 tiles have no arithmetic; write cast<f32>(...) first
// error-gcc: fp8 and bool tiles have no arithmetic
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f8e8m0, 64> c, In<f8e8m0, 64> a) { c.store(a[c] * a[c]); }
