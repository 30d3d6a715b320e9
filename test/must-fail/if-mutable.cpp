// A mutable lambda as a branch.
// error: a mutable one would change only its own copy
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, Scalar<i32> n) {
  auto x = a[c];
  if_(n > 3, [x]() mutable { x = x * 2; });
  c.store(x);
}
