// A store keeps the element type.
// error: store of i32 64 into an output tile of i64 64: the element types differ; write cast<T>(...)
// error-gcc: store: the tile's shape or element type is not that of the output tile
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<i64, 64> c, In<i32, 64> a) { c.store(a[c]); }
