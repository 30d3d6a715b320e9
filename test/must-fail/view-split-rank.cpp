// A seventh axis.
// error: there is no axis to spare for split()
#include "tegula/tegula.hpp"
using namespace tegula;

void f(const Tensor<f32, 6>& t) { t.view().split<0>(4); }
