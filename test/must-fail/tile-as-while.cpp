// A traced value as the condition of a C++ while.
// error: select(condition, a, b) or loop_while
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, Scalar<i32> n) {
  Scalar<i32> i = 0;
  while (i < n)
    i += 1;
  c.store(a[c]);
}
