// A loaded kernel with its arguments, in a stream.
#pragma once
#include "lib/runtime/gpu/LoadedKernel.h"

#include <limits>
#include <string>
#include <vector>

namespace tegula::gpu {

struct Launch {
  std::string kernel; // its name
  std::shared_ptr<const LoadedKernel> code;
  std::vector<std::int64_t> words; // of the arguments
  std::int64_t programs;
  /// For each of GpuKernel::claimed, the extents of that view.
  std::vector<std::vector<std::int64_t>> claimed;
  /// The most programs in a grid; grids run one after the other.
  std::int64_t grid = std::numeric_limits<std::int32_t>::max();

  /// Starts the message of an error.
  std::string purpose() const;
};

/// Does not wait. `records` and `owners` are where programs say something: see Report.
void start(const Context&, cuda::Stream, const Launch&, std::int64_t records, const std::vector<std::int64_t>& owners);

} // namespace tegula::gpu
