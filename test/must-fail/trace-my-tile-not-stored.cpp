// A tile of my_tiles() that is not stored.
// trace-error: a tile of this loop is never stored
#include "TraceMain.h"
using namespace tegula;

void kernel(OutTiles<f32, 64> c, In<f32, 64> a) {
  for (auto t : c.my_tiles())
    print("a", a[t]);
}

int main() { return must_fail::trace<kernel>(); }
