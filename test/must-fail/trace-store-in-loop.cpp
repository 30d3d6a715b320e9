// A store in a loop that does not own the tile.
// trace-error: a store inside a loop writes the same output tile in every iteration
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  for (auto i : a.rows())
    c.store(a(i));
}

int main() { return must_fail::trace<kernel>(); }
