// A return out of a traced loop.
// trace-error: break, return or goto leaves this traced loop, which cannot be recorded
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  for (auto i : a.rows()) {
    print("x", a(i));
    return;
  }
}

int main() { return must_fail::trace<kernel>(); }
