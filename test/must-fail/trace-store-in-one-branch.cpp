// An output that is stored in one branch only.
// trace-error: is stored in one branch of an if_ only
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a, Scalar<i32> n) {
  if_(n > 0, [&] { c.store(a[c]); });
}

int main() { return must_fail::trace<kernel>(); }
