// An accumulate-only output that is read by position.
// error: an accumulate-only output cannot be read in the launch that writes it
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<f32, 64> c, Out<f32, 16> o) { o.store(gather<0>(c, iota<16>())); }
