// A value from an if_ with one branch.
// error: an if_ that returns a value needs a second branch
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, Scalar<i32> n) {
  auto x = a[c];
  if_(n > 3, [&] { return x; });
  c.store(x);
}
