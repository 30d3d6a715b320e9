// Values below a bound for an output that proves nothing of them.
// error: launch parameter 1 is written: it takes std::move(tensor), out(tensor) or fresh(extents...)
// error-gcc: an Out<> or OutTiles<> is written: it takes std::move(tensor), out(tensor) or fresh(extents...)
#include "tegula/tegula.hpp"
using namespace tegula;

void first(Out<i32, 8> y) { y.store(zeros<i32, 8>()); }
void f(const Device& device) { std::ignore = kernel<first>()(fresh(device, 8).below(3)).sync(); }
