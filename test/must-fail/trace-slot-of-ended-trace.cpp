// An output tile that outlives its trace.
// trace-error: this output tile belongs to a trace that has ended: it must not outlive its kernel (is it static or global?)
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c) {
  static const auto* kept = new Slot<f32, 64>(c.slot_id());
  kept->store(zeros<f32, 64>());
}

int main() { return must_fail::trace<kernel>(); }
