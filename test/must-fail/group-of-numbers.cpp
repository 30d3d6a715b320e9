// A group of what is no parameter.
// error: a kernel's parameters are In<>, Out<>, OutTiles<>, InOut<>, Patch<>, AddInto<> and its like, OutIndex<>, Index<>,
// DistinctIndex<>, Offsets<>, Scalar<>, and groups of these
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, Group<float, 2> a);

auto parameters = detail::Signature<decltype(&kernel)>::declarations;
