// An output tile that is taken for one of another shape.
// trace-error: a tile of 16xf32 is stored into an output tile of 64xf32
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c) { Slot<f32, 16>(c.slot_id()).store(zeros<f32, 16>()); }

int main() { return must_fail::trace<kernel>(); }
