// A function of fp8.
// error: the function needs a tile of f64, f32, f16 or bf16, not f8e5m2 64; cast first
// error-gcc: the function needs a tile of f64, f32, f16 or bf16; cast first
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f8e5m2, 64> c, In<f8e5m2, 64> a) { c.store(exp(a[c])); }
