// Two branches that return different types.
// error: both branches of if_ must return the same type, or nothing
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a, Scalar<i32> n) {
  auto x = a[c];
  auto y = if_(n > 3, [&] { return x; }, [&] { return sum<1>(x); });
  c.store(x + y);
}
