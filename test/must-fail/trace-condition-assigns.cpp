// A condition that assigns.
// trace-error: the condition of this loop_while assigns a tile; assign in the loop
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  Int i = 0;
  for (auto _ : loop_while([&] {
         i += 1;
         return i < 10;
       }))
    print("i", i);
  c.store(a(i));
}

int main() { return must_fail::trace<kernel>(); }
