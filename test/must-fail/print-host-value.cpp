// A print of a host value.
// error: print shows tiles; put host values into the text
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  print("n", 3);
  c.store(a[c]);
}
