// The mode tf32 with operands that are not f32.
// error: tf32 is a mode of mma with f32 operands
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64, 64> c, In<bf16, 64, 64> a) { c.store(mma(a[c], a[c], zeros<f32, 64, 64>(), tf32)); }
