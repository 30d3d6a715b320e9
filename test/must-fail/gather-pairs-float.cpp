// A gather along two axes, by floats along one of them.
// error: positions must be integers; write cast<i32>(...)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 8, 4> c, In<f32, 16, 64> a, Index<i32, 8, 4> r, In<f32, 8, 4> q) {
  c.store(gather<0, 1>(a, r(0, 0), q(0, 0)));
}
