// The view has two axes.
// error: flatten<First, Last>() names axes of the view, in order
#include "tegula/tegula.hpp"
using namespace tegula;

void f(const Tensor<f32, 2>& t) { t.view().flatten<1, 2>(); }
