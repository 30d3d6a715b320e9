// Two tiles of different element types.
// error: f32 128×64 + bf16 128×64: the element types differ; write cast<f32>(...) or cast<bf16>(...) on one side
// error-gcc: the element types differ; write cast<T>(...) on one side
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, In<bf16, 128, 64> b) { c.store(a[c] + b[c]); }
