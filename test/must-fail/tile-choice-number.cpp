// A tile and a host number on the two sides of ?:, whose condition is the host's.
// error: a host number where a f32 64 tile is needed; write full<T, extents...>(number)
// error-gcc: a host number where a tile is needed; write full<T, extents...>(number)
#include "tegula/kernel.hpp"
using namespace tegula;

template <bool Zero> void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(Zero ? 0.0f : a[c]); }
template void kernel<true>(Out<f32, 64>, In<f32, 64>);
