// A host counter that one branch changes and the other reads.
// trace-error: recorded something else when it was
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a, Scalar<i32> s) {
  auto x = a[c];
  int n = 0;
  if_(s > 0, [&] { ++n; }, [&] { x = x * n; });
  c.store(x);
}

int main() { return must_fail::trace<kernel>(); }
