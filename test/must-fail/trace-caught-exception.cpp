// An exception that leaves a traced loop and is caught inside the kernel.
// trace-error: an exception left this traced loop, branch or combiner and was caught inside the kernel
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  try {
    for (auto i : a.rows()) {
      print("i", i);
      throw 1;
    }
  } catch (int) {
  }
  c.store(a[c]);
}

int main() { return must_fail::trace<kernel>(); }
