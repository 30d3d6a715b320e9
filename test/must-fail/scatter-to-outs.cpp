// A scatter to an output that must be covered.
// error: scatter writes to a Patch: an Outs is written by whole tiles, which must cover it
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Outs<f32, 64> c, DistinctIndex<i32, 64> n) { c.scatter(axis<0>, n(0), zeros<f32, 64>()); }
