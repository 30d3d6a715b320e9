// An operation with a name is given up to be awaited.
// error: an operation is run once: write co_await std::move(op)
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

Task<> run(Shared<f32, 1> a) {
  auto op = kernel<copy>("copy")(fresh(64), a);
  co_await op;
}

int main() { run({}).sync(); }
