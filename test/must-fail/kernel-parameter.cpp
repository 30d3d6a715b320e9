// A kernel with a parameter that is no parameter type.
// error: a kernel's parameters are In<>, Out<>, OutTiles<>, InOut<>, Patch<>, AddInto<> and its like, OutIndex<>
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, int n) { c.store(full<f32, 64>(n)); }

auto parameters = detail::Signature<decltype(&kernel)>::declarations;
