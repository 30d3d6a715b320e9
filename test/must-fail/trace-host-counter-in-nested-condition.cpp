// A host counter in the condition of a loop in a branch.
// trace-error: recorded something else when it was run again
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a, Scalar<i32> s) {
  Int i = 0;
  int n = 10;
  if_(s > 0, [&] {
    for (auto _ : loop_while([&] { return i < --n; }))
      i += 1;
  });
  c.store(a(i));
}

int main() { return must_fail::trace<kernel>(); }
