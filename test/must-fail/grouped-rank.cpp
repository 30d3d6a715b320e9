// A grouped order of an output without rows and columns.
// error: grouped(...) orders the tiles of an output of rank 2
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(OutTiles<f32, 64> c) {
  for (auto t : c.my_tiles(grouped(8)))
    t.store(zeros<f32, 64>());
}
