// A name of Triton's that takes no tile.
// error: there is no arange(); write iota<Extent>(), or iota<T, Extents...>(axis)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i32, 64> c) { c.store(arange(0, 64)); }
