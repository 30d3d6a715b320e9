// All kernels of the library with the tile sizes they are proved for, as objects to look into.
#pragma once
#include "tegula/host/launch.hpp"

#include <span>

namespace tegula::kernels {

struct Entry {
  const char* name;
  AnyKernel (*make)();
};

/// In the order of their names.
std::span<const Entry> registry();

} // namespace tegula::kernels
