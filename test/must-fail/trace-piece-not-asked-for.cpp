// A split whose pieces nobody asks for.
// trace-error: this loop never asks for its output tile, and every output tile must be stored exactly once
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c) {
  auto pieces = split<16>(c);
  for (auto it = pieces.begin(); it != pieces.end(); ++it) {
  }
}

int main() { return must_fail::trace<kernel>(); }
