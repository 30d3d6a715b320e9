// A tile that is claimed and not stored.
// trace-error: the tile that tile(...) gives here is never stored
#include "TraceMain.h"
using namespace tegula;

void kernel(OutTiles<f32, 64> c) { (void)c.tile(this_program()); }

int main() { return must_fail::trace<kernel>(); }
