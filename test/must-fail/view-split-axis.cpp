// The view has two axes.
// error: split<Axis>(inner) names an axis of the view
#include "tegula/tegula.hpp"
using namespace tegula;

void f(const Tensor<f32, 2>& t) { t.view().split<2>(4); }
