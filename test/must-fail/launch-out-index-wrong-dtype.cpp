// A certified tensor of another element type.
// error: launch parameter 1 has elements of i32, its argument of i64
// error-gcc: a launch argument has elements of another type than its parameter
#include "tegula/tegula.hpp"
using namespace tegula;

void first(OutIndex<i32, 8> y) { y.store(zeros<i32, 8>()); }
void f(Certified<i64, 1>& y) { kernel<first>()(out(y)).sync(); }
