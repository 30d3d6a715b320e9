// An axis that does not exist.
// trace-error: axis 1 does not exist; the rank is 1
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c] * cast<f32>(a.extent(1))); }

int main() { return must_fail::trace<kernel>(); }
