// A combiner that returns another type.
// error: the combiner must return one scalar of each tile's element type
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 1> c, In<f32, 64> a) {
  c.store(reduce<0>(a(0), [](auto x, auto y) { return x > y; }));
}
