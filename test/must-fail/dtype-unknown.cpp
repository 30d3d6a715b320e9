// A tile of something that is no element type.
// error: not an element type; use f64 f32 f16 bf16
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c) {
  Tile<long double, 64> x;
  c.store(zeros<f32, 64>());
}
