// The members of a group have types and extents of their own: which one is meant is known when the kernel is traced.
// error: a member of a group is named by a number of the host: for (int g = 0; g < N; ++g) c[g]
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, Group<In<f32, 64>, 2> a) { c.store(a[this_program() % 2][c]); }
