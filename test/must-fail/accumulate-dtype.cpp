// An accumulation that processors do not have: the minimum of floats.
// error: MinInto, MaxInto, AndInto and OrInto accumulate i32, u32, i64 and u64
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(MinInto<f32, 64> c) { c.accumulate(zeros<f32, 64>(), 0); }
