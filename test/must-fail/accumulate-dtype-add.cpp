// An accumulation that processors do not have: the sum of bytes.
// error: AddInto accumulates f64, f32, f16, bf16, i32, u32, i64 and u64
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<i8, 64> c) { c.accumulate(zeros<i8, 64>(), 0); }
