// A lambda kernel that captures.
// error: a kernel's lambda captures nothing; pass values as Scalar<T> parameters or template arguments
#include "tegula/kernel.hpp"
using namespace tegula;

void make(float factor) {
  auto kernel = [factor](Out<f32, 64> c, In<f32, 64> a) { c.store(a[c] * factor); };
  auto parameters = detail::Signature<decltype(kernel)>::declarations;
}
