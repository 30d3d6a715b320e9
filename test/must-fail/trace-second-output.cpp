// The second of two outputs is never stored.
// trace-error: the output that is parameter 2 is never stored
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, Out<f32, 64> d, In<f32, 64> a) { c.store(a[d]); }

int main() { return must_fail::trace<kernel>(); }
