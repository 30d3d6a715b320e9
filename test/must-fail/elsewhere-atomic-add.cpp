// Accumulation as in CUDA.
// error: there is no atomicAdd(); write s.accumulate(x, i), where s is a parameter AddInto<T, Extents...>
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<f32, 64> s, In<f32, 64> a) { atomicAdd(s, a(0)); }
