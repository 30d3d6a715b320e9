// A tile that is assigned in one branch only.
// trace-error: this tile may have no value here: it is assigned only in one branch, or in a loop that may not run
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a, Scalar<i32> n) {
  Tile<f32, 64> x;
  if_(n > 0, [&] { x = a[c]; });
  c.store(x);
}

int main() { return must_fail::trace<kernel>(); }
