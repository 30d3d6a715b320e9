// An index that is no integer.
// error: an index must be an integer; write cast<i64>(...)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, Scalar<f32> x) { c.store(a(x, 0)); }
