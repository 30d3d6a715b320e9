// A tile that leaves its loop through a container.
// trace-error: this tile was made in a loop or branch that has ended, and escaped from it
#include "TraceMain.h"

#include <list>
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  std::list<Tile<f32, 64>> seen;
  for (auto i : a.rows())
    seen.push_back(a(i));
  c.store(seen.front());
}

int main() { return must_fail::trace<kernel>(); }
