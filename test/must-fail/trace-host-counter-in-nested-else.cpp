// A host counter that changes only in the second branch of a branch.
// trace-error: recorded something else when it was run again
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a, Scalar<i32> s) {
  auto x = a[c];
  int n = 0;
  if_(s > 0, [&] { x = x + 1; }, [&] { if_(s < -1, [&] { x = x - 1; }, [&] { x = x * ++n; }); });
  c.store(x);
}

int main() { return must_fail::trace<kernel>(); }
