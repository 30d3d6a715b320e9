// An OutTiles whose tiles are never visited.
// trace-error: the output that is parameter 1 is never stored
#include "TraceMain.h"
using namespace tegula;

void kernel(OutTiles<f32, 64> c, In<f32, 64> a) { print("a", a(0)); }

int main() { return must_fail::trace<kernel>(); }
