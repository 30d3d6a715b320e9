// A member that does not exist.
// trace-error: member 2 of a group of 2: members are counted from 0
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<f32, 64> c, Group<In<f32, 64>, 2> a) { c.store(a[2][c]); }

int main() { return must_fail::trace<kernel>(); }
