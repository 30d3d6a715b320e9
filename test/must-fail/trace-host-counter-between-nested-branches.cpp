// A host counter of a branch that one of its branches changes and the other reads.
// trace-error: recorded something else when it was
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a, Scalar<i32> s) {
  auto x = a[c];
  if_(s > 0, [&] {
    int n = 0;
    if_(s > 1, [&] { ++n; }, [&] { x = x * n; });
  });
  c.store(x);
}

int main() { return must_fail::trace<kernel>(); }
