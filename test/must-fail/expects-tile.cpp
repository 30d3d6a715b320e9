// An expectation of many conditions.
// error: the condition of expects must be a traced bool scalar
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i32, 64> c, In<i32, 64> a) {
  expects(a(0) < 2, "small");
  c.store(a[c]);
}
