// A combiner with a branch.
// trace-error: a combiner has no loops and branches; use select
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 1> c, In<f32, 64> a) {
  c.store(reduce<0>(a(0), [&](auto x, auto y) {
    if_(x > y, [&] { x = y; });
    return x;
  }));
}

int main() { return must_fail::trace<kernel>(); }
