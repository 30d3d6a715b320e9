// A tile that is assigned in a loop only.
// trace-error: this tile may have no value here: it is assigned only in one branch, or in a loop that may not run
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  Tile<f32, 64> x;
  for (auto i : a.rows())
    x = a(i);
  c.store(x);
}

int main() { return must_fail::trace<kernel>(); }
