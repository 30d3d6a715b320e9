// A host number too large for the element type.
// trace-error: the number 100000 does not fit f16
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f16, 64> c, In<f16, 64> a) { c.store(a[c] * 1e5); }

int main() { return must_fail::trace<kernel>(); }
