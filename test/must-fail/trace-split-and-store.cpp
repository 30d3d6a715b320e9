// An output that is split and stored.
// trace-error: this output tile is stored twice
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  for (auto t : split<16>(c))
    t.store(load<16>(a, t.row()));
  c.store(a[c]);
}

int main() { return must_fail::trace<kernel>(); }
