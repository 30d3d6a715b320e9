// A loop_while whose condition is no comparison.
// error: the condition of loop_while must return a traced bool scalar
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  Int i = 0;
  for (auto _ : loop_while([&] { return i; }))
    i += 1;
  c.store(a[c]);
}
