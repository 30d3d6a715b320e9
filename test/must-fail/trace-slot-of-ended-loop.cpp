// An output tile that is stored after the loop that gave it.
// trace-error: this output tile was made in a loop or branch that has ended; store it there
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, Patch<f32, 8> p, In<f32, 8> a) {
  Slot<f32, 8>* old = nullptr;
  for (auto i : range(this_program(), p.count(0), programs())) {
    old = new Slot<f32, 8>(p.tile(i));
    old->store(a(0));
  }
  for (auto t : split<8>(c)) {
    old->store(a(0));
    t.store(a(0));
  }
}

int main() { return must_fail::trace<kernel>(); }
