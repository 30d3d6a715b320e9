// A host number that the element type cannot hold.
// trace-error: the number 300 does not fit u8
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<u8, 64> c, In<u8, 64> a) { c.store(a[c] + 300); }

int main() { return must_fail::trace<kernel>(); }
