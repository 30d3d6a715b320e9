// A branch that returns a struct with a host member.
// trace-error: a branch of this if_ returns an object that holds something other than tiles
#include "TraceMain.h"
using namespace tegula;

struct Scaled {
  Tile<f32, 64> tile;
  int factor;
};

void kernel(Out<f32, 64> c, In<f32, 64> a, Scalar<i32> n) {
  auto r = if_(n > 0, [&] { return Scaled{a[c], 1}; }, [&] { return Scaled{a[c], 2}; });
  c.store(r.tile * r.factor);
}

int main() { return must_fail::trace<kernel>(); }
