// A kernel with a tile as a parameter.
// error: a kernel parameter cannot be a tile; take In<T, extents...> and load it
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, Tile<f32, 64> x) { c.store(x); }

auto parameters = detail::Signature<decltype(&kernel)>::declarations;
