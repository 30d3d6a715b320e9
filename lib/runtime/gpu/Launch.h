// A loaded kernel with its arguments, in a stream.
#pragma once
#include "lib/runtime/Small.h"
#include "lib/runtime/gpu/LoadedKernel.h"
#include "lib/runtime/gpu/TensorMaps.h"

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace tegula::gpu {

struct Launch {
  std::string_view kernel; // its name
  const LoadedKernel& code;
  std::int64_t programs;
  /// The most programs in a grid; grids run one after the other.
  std::int64_t grid = std::numeric_limits<std::int32_t>::max();

  /// Starts the message of an error.
  std::string purpose() const;
};

/// What a kernel's entry takes (see GpuKernel): words, then maps. `records` and `owners` are where programs say something, if they
/// do: see Speech. Words alone are packed, as the driver copies them fastest; where maps would lie among them is the driver's
/// secret.
class Parameters {
public:
  /// The words are those of the arguments.
  Parameters(const Context&, const Launch&, std::span<const std::int64_t> words, std::int64_t records,
             std::span<const std::int64_t> owners);
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;
  /// The driver's list of where each of them is, or else, the other being null, its options that say where all are.
  void** list() noexcept { return places_.size() == 0 ? nullptr : places_.data(); }
  void** packed() noexcept { return places_.size() == 0 ? options_.data() : nullptr; }
  /// The number of the grid's first program.
  std::int64_t& first() noexcept { return *first_; }

private:
  struct alignas(EncodedMap) Line {
    std::array<std::int64_t, 8> words;
  };
  runtime::Small<Line, 16> lines_;
  runtime::Small<void*, 64> places_;
  std::size_t bytes_;
  std::int64_t* first_;
  std::array<void*, 5> options_;
};

/// Does not wait.
void start(const Context&, cuda::Stream, const Launch&, Parameters&);

} // namespace tegula::gpu
