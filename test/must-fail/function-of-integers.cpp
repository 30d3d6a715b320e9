// A function of floats, of integers.
// error: the function needs a tile of f64, f32, f16 or bf16, not i32 64; cast first
// error-gcc: the function needs a tile of f64, f32, f16 or bf16; cast first
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i32, 64> c, In<i32, 64> a) { c.store(sqrt(a[c])); }
