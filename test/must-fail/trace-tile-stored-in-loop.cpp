// A tile that is claimed before a loop and stored in it.
// trace-error: a store inside a loop writes the same output tile in every iteration
#include "TraceMain.h"
using namespace tegula;

void kernel(OutTiles<f32, 64> c, In<f32, 64> a) {
  auto t = c.tile(this_program());
  for (auto i : a.rows())
    t.store(a(i));
}

int main() { return must_fail::trace<kernel>(); }
