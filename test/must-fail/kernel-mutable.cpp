// A mutable lambda as a kernel.
// error: a kernel's lambda must not be mutable
#include "tegula/kernel.hpp"
using namespace tegula;

auto kernel = [](Out<f32, 64> c, In<f32, 64> a) mutable { c.store(a[c]); };
auto parameters = detail::Signature<decltype(kernel)>::declarations;
