// Two integers of 4 bits in something other than bytes.
// error: unpack_i4 needs a tile of u8, which holds two integers in each element
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i8, 64> c, In<i8, 64> a) { c.store(std::get<0>(unpack_i4(a[c]))); }
