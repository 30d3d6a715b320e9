// A kernel without an output.
// error: a kernel needs at least one output: Out, OutTiles, InOut, OutIndex, Patch, or AddInto and its like
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(In<f32, 64> a) { print("a", a(0)); }

auto parameters = detail::Signature<decltype(&kernel)>::declarations;
