// A range that does not advance.
// trace-error: the step of a range must be positive, not 0
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  auto x = a[c];
  for (auto i : range(0, 8, 0))
    x += cast<f32>(i);
  c.store(x);
}

int main() { return must_fail::trace<kernel>(); }
