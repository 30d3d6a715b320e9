// An expectation of what a tensor holds.
// trace-error: expects: the condition depends on 'tile.load' at
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<i32> n) {
  expects(n() > 0, "positive");
  c.store(zeros<f32, 64>());
}

int main() { return must_fail::trace<kernel>(); }
