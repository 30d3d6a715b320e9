// A kernel that returns something.
// error: a kernel returns void; it stores its results
#include "tegula/kernel.hpp"
using namespace tegula;

int kernel(Out<f32, 64> c) {
  c.store(zeros<f32, 64>());
  return 0;
}

auto parameters = detail::Signature<decltype(&kernel)>::declarations;
