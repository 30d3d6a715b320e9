// All kernels of the library with the tile sizes they are proved for, as objects to look into.
#pragma once
#include "tegula/host/launch.hpp"

#include <span>
#include <vector>

namespace tegula::kernels {

/// A launch that is quick even in an emulator, for tests: no extent is one that a tile divides; along the last axis whole groups of
/// 16 bytes, so that accesses are vectors.
struct SmallLaunch {
  std::vector<std::vector<i64>> extents; // of each view, in order
  i64 programs = 1;
  int faults = 16; // how many of each kind are tried on its code; fewer where a run takes long
  i64 bound = 0;   // of an index tensor
};

struct Entry {
  const char* name;
  AnyKernel (*make)();
  SmallLaunch launch = {};
};

/// In the order of their names.
std::span<const Entry> registry();

} // namespace tegula::kernels
