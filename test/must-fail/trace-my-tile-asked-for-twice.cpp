// An iteration that takes its output tile twice.
// trace-error: this loop asks for its output tile twice in one iteration; ask once: auto t = *it
#include "TraceMain.h"
using namespace tegula;

void kernel(OutTiles<f32, 64> c) {
  auto tiles = c.my_tiles();
  for (auto it = tiles.begin(); it != tiles.end(); ++it) {
    (*it).store(zeros<f32, 64>());
    (*it).store(ones<f32, 64>());
  }
}

int main() { return must_fail::trace<kernel>(); }
