// select between an i64 and a float.
// error: i64 scalar with f32 scalar: the element types differ
// error-gcc: the element types differ
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i64> c, Scalar<i64> a, Scalar<f32> b) { c.store(select(a > 0, a, b)); }
