// A concatenation of different shapes.
// error: concatenate needs two tiles of one shape and element type
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  auto x = a[c];
  c.store(concatenate<1>(extract<128, 32>(x, 0, 0), extract<128, 16>(x, 0, 0)));
}
