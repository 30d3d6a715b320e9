// A static counter.
// trace-error: recorded something else when it was traced again: its body depends on host state that changes
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  static int n = 0;
  c.store(a[c] * n++);
}

int main() { return must_fail::trace<kernel>(); }
