// A kernel that takes a parameter by reference.
// error: a kernel takes its parameters by value or const reference
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64>& c) { c.store(zeros<f32, 64>()); }

auto parameters = detail::Signature<decltype(&kernel)>::declarations;
