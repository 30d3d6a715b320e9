// A piece that is read and written in a loop.
// trace-error: a store inside a loop writes the same output tile in every iteration
#include "TraceMain.h"
using namespace tegula;

void kernel(InOut<f32, 64> x, Scalar<i32> n) {
  for (auto _ : range(n))
    x.store(x.load() * 2);
}

int main() { return must_fail::trace<kernel>(); }
