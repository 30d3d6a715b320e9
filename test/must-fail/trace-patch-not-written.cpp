// A patch that nothing is written to.
// trace-error: the output that is parameter 1 is never written
#include "TraceMain.h"
using namespace tegula;

void kernel(Patch<f32, 64> p, In<f32, 64> a) { print("a", a(p.count(0) - 1)); }

int main() { return must_fail::trace<kernel>(); }
