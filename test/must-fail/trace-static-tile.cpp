// A static tile.
// trace-error: a tile outlives its kernel: it is static or global
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  static Tile<f32, 64> x = zeros<f32, 64>();
  c.store(a[c] + x);
}

int main() { return must_fail::trace<kernel>(); }
