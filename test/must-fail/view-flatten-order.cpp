// The first axis comes first.
// error: flatten<First, Last>() names axes of the view, in order
#include "tegula/tegula.hpp"
using namespace tegula;

void f(const Tensor<f32, 3>& t) { t.view().flatten<2, 1>(); }
