// An expectation in a loop.
// trace-error: expects belongs at the top of the kernel, in no loop or branch
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  for (auto i : a.rows())
    expects(i < 8, "few rows");
  c.store(a[c]);
}

int main() { return must_fail::trace<kernel>(); }
