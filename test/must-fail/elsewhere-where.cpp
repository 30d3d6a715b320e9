// A name of NumPy's.
// error: there is no where(); write select(condition, a, b)
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(where(a[c] > 0, a[c], 0)); }
