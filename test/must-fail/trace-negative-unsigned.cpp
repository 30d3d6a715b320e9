// A negative host number with unsigned elements.
// trace-error: the number -1 does not fit u32
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<u32, 64> c, In<u32, 64> a) { c.store(a[c] & -1); }

int main() { return must_fail::trace<kernel>(); }
