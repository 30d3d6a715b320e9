// An i64 added to an i32, which may be too short.
// error: i32 scalar + i64 scalar: the element types differ
// error-gcc: the element types differ
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i32> c, Scalar<i32> i, Scalar<i64> n) {
  i += n;
  c.store(i);
}
