// An accumulate-only output that is read where another output is.
// error: an accumulate-only output cannot be read in the launch that writes it
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(MaxInto<i32, 64> c, Out<i32, 64> o) { o.store(c[o]); }
