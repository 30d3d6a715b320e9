// A combiner that prints.
// trace-error: a combiner only computes: it cannot print, check or store
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 1> c, In<f32, 64> a) {
  c.store(reduce<0>(a(0), [&](auto x, auto y) {
    print("x", x);
    return x + y;
  }));
}

int main() { return must_fail::trace<kernel>(); }
