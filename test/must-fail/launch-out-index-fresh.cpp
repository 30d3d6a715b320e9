// A fresh index without a bound.
// error: launch parameter 1 is an index to be written: it takes fresh(extents...).below(n), std::move(certified) or out(certified)
// error-gcc: an OutIndex<> takes fresh(extents...).below(n), std::move(certified) or out(certified)
#include "tegula/tegula.hpp"
using namespace tegula;

void first(OutIndex<i32, 8> y) { y.store(zeros<i32, 8>()); }
void f(const Device& device) { std::ignore = kernel<first>()(fresh(device, 8)).sync(); }
