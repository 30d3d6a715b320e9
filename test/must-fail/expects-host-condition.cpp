// An expectation of a host value.
// error: the condition of expects must be a traced bool scalar
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c) {
  expects(1 < 2, "order");
  c.store(zeros<f32, 64>());
}
