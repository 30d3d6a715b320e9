// An output that is never stored.
// trace-error: kernel 'kernel': the output that is parameter 1 is never stored
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) { print("a", a[c]); }

int main() { return must_fail::trace<kernel>(); }
