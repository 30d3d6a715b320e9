// Three extents for two axes.
// error: give one extent per axis of the tensor
#include "tegula/tegula.hpp"
using namespace tegula;

void f(const Tensor<f32, 1>& t) { t.view().reshape<2>({2, 3, 4}); }
