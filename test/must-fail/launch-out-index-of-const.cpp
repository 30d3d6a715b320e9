// A certified tensor that is const, lent to be refilled.
// error: out(certified) lends a tensor to be refilled: it has a name, and is not const
#include "tegula/tegula.hpp"
using namespace tegula;

void first(OutIndex<i32, 8> y) { y.store(zeros<i32, 8>()); }
void f(const Certified<i32, 1>& y) { kernel<first>()(out(y)).sync(); }
