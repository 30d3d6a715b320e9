// An iterator that is never destroyed, so that its loop stays open.
// trace-error: break, return or goto leaves this traced loop
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c) {
  auto* it = new auto(split<64>(c).begin());
  (**it).store(zeros<f32, 64>());
}

int main() { return must_fail::trace<kernel>(); }
