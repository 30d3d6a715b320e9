// An accumulate-only output that is read.
// error: an accumulate-only output cannot be read in the launch that writes it
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<f32, 64> c, Out<f32, 64> o) { o.store(c(0)); }
