// A piece of a split that only a branch asks for.
// trace-error: the output tile of this loop is asked for inside another loop or branch, which may not run
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, Scalar<i32> s) {
  auto pieces = split<16>(c);
  for (auto it = pieces.begin(); it != pieces.end(); ++it)
    if_(s > 0, [&] { (*it).store(zeros<f32, 16>()); });
}

int main() { return must_fail::trace<kernel>(); }
