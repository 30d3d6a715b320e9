// A lambda kernel whose parameter types are not written out.
// error: write out the types of a kernel's parameters
#include "tegula/kernel.hpp"
using namespace tegula;

auto kernel = [](auto c, In<f32, 64> a) { c.store(a[c]); };
auto parameters = detail::Signature<decltype(kernel)>::declarations;
