// A tile that is read before it has a value.
// trace-error: this tile has no value yet: assign one before it is read
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  Tile<f32, 64> x;
  c.store(a[c] + x);
}

int main() { return must_fail::trace<kernel>(); }
