// An output that is stored twice.
// trace-error: this output tile is stored twice; the first store is at
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  c.store(a[c]);
  c.store(a[c] + 1);
}

int main() { return must_fail::trace<kernel>(); }
