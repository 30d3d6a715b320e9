// A tile outside any kernel.
// trace-error: a tile outside a kernel: tiles exist only while a kernel
#include "TraceMain.h"
using namespace tegula;

int main() {
  try {
    auto x = zeros<f32, 64>();
  } catch (const TraceError& e) {
    std::puts(e.what());
    return 1;
  }
}
