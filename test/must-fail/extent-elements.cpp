// A tile with too many elements.
// error: a tile of 2048×1024 has 2097152 elements; at most 1048576 are allowed
// error-gcc: a tile has at most 1048576 elements
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 2048, 1024> c) { c.store(zeros<f32, 2048, 1024>()); }
