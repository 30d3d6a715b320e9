// A store after a branch that stores too.
// trace-error: this output tile may be stored twice: a branch already stores it at
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a, Scalar<i32> n) {
  if_(n > 0, [&] { c.store(a[c]); });
  c.store(a[c]);
}

int main() { return must_fail::trace<kernel>(); }
