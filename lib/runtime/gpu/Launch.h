// A loaded kernel with its arguments, on the device's stream.
#pragma once
#include "lib/runtime/gpu/LoadedKernel.h"
#include "lib/runtime/gpu/Pool.h"

#include <limits>
#include <string>
#include <vector>

namespace tegula::gpu {

struct Launch {
  const std::string& kernel; // its name
  const LoadedKernel& code;
  std::vector<std::int64_t> words; // of the arguments
  std::int64_t programs;
  /// For each of GpuKernel::claimed, the extents of that view.
  std::vector<std::vector<std::int64_t>> claimed;
  /// The most programs in a grid; grids run one after the other.
  std::int64_t grid = std::numeric_limits<std::int32_t>::max();
};

/// Does not wait. The kernel must not speak: nobody would listen.
void enqueue(const Context&, const Launch&);

/// Waits, prints what programs print, and throws a LaunchError when one of them failed.
void run(const Context&, Pool&, const Launch&);

} // namespace tegula::gpu
