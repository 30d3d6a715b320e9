// An i64 for an i32, which may be too short.
// error: a i64 scalar value for a i32 scalar tile: shape and element type must be the same
// error-gcc: the value has another shape or element type than the tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i32> c, Scalar<i64> n) {
  Scalar<i32> i = n;
  c.store(i);
}
