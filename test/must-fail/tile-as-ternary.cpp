// A traced value as the condition of ?:.
// error: a traced value has no truth value on the host; use if_(condition
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, Scalar<i32> n) { c.store(n > 3 ? a[c] : a[c] * 2); }
