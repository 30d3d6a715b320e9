// A rounding mode between integers.
// error: a cast between integers does not round
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i8, 64> c, In<i32, 64> a) { c.store(cast<i8>(a[c], Rounding::up)); }
