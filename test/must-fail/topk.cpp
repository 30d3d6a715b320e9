// A top-k of more than there is.
// error: K must be a power of two and no larger than the axis
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 1, 128> c, In<f32, 1, 64> a) {
  auto [values, at] = topk<1, 128>(a(0, 0));
  c.store(values);
}
