// A combiner that uses a tile from outside.
// trace-error: a combiner uses a tile from outside; it may use only its own arguments and host numbers
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 1> c, In<f32, 64> a, Scalar<f32> s) {
  c.store(reduce<0>(a(0), [&](auto x, auto y) { return x + y * s; }));
}

int main() { return must_fail::trace<kernel>(); }
