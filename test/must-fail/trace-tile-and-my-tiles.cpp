// An output that is visited by my_tiles() and written by tile().
// trace-error: visits every tile of this output, so tile(...) writes one of them again
#include "TraceMain.h"
using namespace tegula;

void kernel(OutTiles<f32, 64> c) {
  for (auto t : c.my_tiles())
    t.store(zeros<f32, 64>());
  c.tile(0).store(zeros<f32, 64>());
}

int main() { return must_fail::trace<kernel>(); }
