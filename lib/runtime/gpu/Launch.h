// A loaded kernel with its arguments, in a stream.
#pragma once
#include "lib/runtime/gpu/LoadedKernel.h"

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace tegula::gpu {

struct Launch {
  std::string_view kernel; // its name
  const LoadedKernel& code;
  std::span<const std::int64_t> words; // of the arguments
  std::int64_t programs;
  /// The most programs in a grid; grids run one after the other.
  std::int64_t grid = std::numeric_limits<std::int32_t>::max();

  /// Starts the message of an error.
  std::string purpose() const;
};

/// Does not wait. `records` and `owners` are where programs say something: see Report.
void start(const Context&, cuda::Stream, const Launch&, std::int64_t records, std::span<const std::int64_t> owners);

} // namespace tegula::gpu
