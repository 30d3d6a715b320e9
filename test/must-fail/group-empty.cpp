// A group without members.
// error: a group has 1 to 16 members
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, Group<In<f32, 64>, 0> a) { c.store(a[0][c]); }
