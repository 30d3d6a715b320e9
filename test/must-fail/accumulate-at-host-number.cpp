// An accumulation at one position that is a number.
// error: positions are a tile of integers, one for each slice
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(AddInto<f32, 64> c) { accumulate_at<0>(c, 3, zeros<f32, 64>()); }
