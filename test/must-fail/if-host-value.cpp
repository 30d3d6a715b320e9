// A branch that returns a host value.
// error: a branch of if_ returns tiles
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, Scalar<i32> n) {
  int factor = if_(n > 3, [&] { return 1; }, [&] { return 2; });
  c.store(a[c] * factor);
}
