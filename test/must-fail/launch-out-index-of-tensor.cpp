// A tensor without a certificate as an index to be written.
// error: launch parameter 1 is an index to be written: it takes fresh(extents...).below(n), std::move(certified) or out(certified)
// error-gcc: an OutIndex<> takes fresh(extents...).below(n), std::move(certified) or out(certified)
#include "tegula/tegula.hpp"
using namespace tegula;

void first(OutIndex<i32, 8> y) { y.store(zeros<i32, 8>()); }
void f(Tensor<i32, 1>& y) { kernel<first>()(out(y)).sync(); }
