// The iterator of a loop that has ended.
// trace-error: this loop has ended, and its iterator is used again; write for (auto x : ...)
#include "TraceMain.h"
using namespace tegula;

void kernel(Out<i64> c, Scalar<i64> n) {
  auto numbers = range(n);
  auto it = numbers.begin();
  for (; it != numbers.end(); ++it) {
  }
  c.store(*it);
}

int main() { return must_fail::trace<kernel>(); }
