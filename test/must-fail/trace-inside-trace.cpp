// A kernel that is traced inside the body of another.
// trace-error: kernel 'inner' is used inside the body of another kernel; call an ordinary function instead
#include "TraceMain.h"
using namespace tegula;

void inner(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

void kernel(Out<f32, 64> c, In<f32, 64> a) {
  must_fail::record<inner>("inner");
  c.store(a[c]);
}

int main() { return must_fail::trace<kernel>(); }
