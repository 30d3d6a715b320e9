// A break out of a traced loop.
// trace-error: break, return or goto leaves this traced loop, which cannot be recorded
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  auto x = zeros<f32, 64>();
  for (auto i : a.rows()) {
    x += a(i);
    break;
  }
  c.store(x);
}

int main() { return must_fail::trace<kernel>(); }
