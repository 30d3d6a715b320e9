// A host counter that chooses the variable which a loop assigns.
// trace-error: recorded something else when it was run again
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  Tile<f32, 64> x[2] = {a[c], a[c]};
  int n = 0;
  for (auto i : a.rows())
    x[n++ % 2] = a(i);
  c.store(x[0] + x[1]);
}

int main() { return must_fail::trace<kernel>(); }
