// A vector of tiles that grows in a traced loop.
// trace-error: a tile declared before this loop or branch is destroyed inside it
#include "TraceMain.h"

#include <vector>
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  std::vector<Tile<f32, 64>> seen{a[c]};
  for (auto i : a.rows())
    seen.push_back(a(i));
  c.store(seen[0]);
}

int main() { return must_fail::trace<kernel>(); }
