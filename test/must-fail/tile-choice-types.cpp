// Tiles of different types on the two sides of ?:, whose condition is the host's.
// error: conditional expression is ambiguous
// error-gcc: operands to ‘?:’ have different types
#include "tegula/kernel.hpp"
using namespace tegula;

template <bool Mean> void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(Mean ? sum<0>(a[c]) : a[c]); }
template void kernel<true>(Out<f32, 64>, In<f32, 64>);
