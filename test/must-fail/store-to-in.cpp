// A store to an input.
// error: an In is read-only; declare the parameter as Out<T, extents...> to store to it
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 128, 64> a) {
  a.store(zeros<f32, 128, 64>());
  c.store(a[c]);
}
