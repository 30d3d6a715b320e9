// A scale of zero, which there is not.
// trace-error: the number 0 does not fit f8e8m0
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f8e8m0, 64> c, In<f8e8m0, 64> a) { c.store(a.load_or(c, 0)); }

int main() { return must_fail::trace<kernel>(); }
