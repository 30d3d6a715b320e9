// A certified tensor to be refilled that is neither given up nor lent.
// error: launch parameter 1 is written: write std::move(certified) to have it returned, or out(certified) to lend it
// error-gcc: an output is given up or lent: write std::move(certified), or out(certified)
#include "tegula/tegula.hpp"
using namespace tegula;

void first(OutIndex<i32, 8> y) { y.store(zeros<i32, 8>()); }
void f(Certified<i32, 1>& y) { std::ignore = kernel<first>()(y).sync(); }
