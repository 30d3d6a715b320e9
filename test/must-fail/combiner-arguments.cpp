// A combiner with too few parameters.
// error: for n tiles the combiner takes 2n scalars
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 1> c, In<f32, 64> a) {
  c.store(reduce<0>(a(0), [](auto x) { return x; }));
}
