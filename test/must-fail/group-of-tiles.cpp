// A group of tiles.
// error: a kernel parameter cannot be a tile; take In<T, extents...> and load it
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, Group<Tile<f32, 64>, 2> a);

auto parameters = detail::Signature<decltype(&kernel)>::declarations;
