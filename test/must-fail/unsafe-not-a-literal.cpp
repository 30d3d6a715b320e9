// A waiver whose reason is computed.
// error: the reason of unsafe is a literal
#include "tegula/kernel.hpp"
using namespace tegula;

const char* reason();
void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(a(3, unsafe(reason()))); }
