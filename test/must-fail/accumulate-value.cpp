// A value of another type than the accumulation.
// error: a i32 64 value for an output tile of f32 64: the element types differ; write cast<T>(...)
// error-gcc: the value's shape or element type is not that of the output tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<f32, 64> c) { c.accumulate(iota<64>(), 0); }
