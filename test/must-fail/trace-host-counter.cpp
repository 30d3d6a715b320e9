// A host counter that changes in a traced loop.
// trace-error: recorded something else when it was run again: it depends on host state that changes
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  auto x = zeros<f32, 64>();
  int n = 0;
  for (auto i : a.rows())
    x += a(i) * n++;
  c.store(x);
}

int main() { return must_fail::trace<kernel>(); }
