// An index to be written of an unsigned type.
// error: an index tensor has a signed integer element type: i64, i32, i16 or i8
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(OutIndex<u32, 8> y) { y.store(zeros<u32, 8>()); }
