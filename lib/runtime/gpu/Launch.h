// A loaded kernel with its arguments, in a stream.
#pragma once
#include "lib/runtime/Small.h"
#include "lib/runtime/gpu/LoadedKernel.h"
#include "lib/runtime/gpu/TensorMaps.h"

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

/// What a kernel's entry takes (see GpuKernel), as the driver wants it. `records` and `owners` are where programs say something:
/// see Speech.
class Parameters {
public:
  /// `pack(words)` adds the words of the arguments, which are `count`.
  template <class Pack> Parameters(const Context& context, const Launch& launch, std::size_t count, const Pack& pack,
                                   std::int64_t records, std::span<const std::int64_t> owners)
      : words_(count + 3 + owners.size()), maps_(launch.code.code().maps.size()),
        pointers_(count + 3 + owners.size() + launch.code.code().maps.size()), first_(count) {
    pack(words_);
    finish(context, launch, records, owners);
  }
  void** pointers() noexcept { return pointers_.data(); }
  /// The number of the grid's first program.
  std::int64_t& first() noexcept { return words_[first_]; }

private:
  void finish(const Context&, const Launch&, std::int64_t records, std::span<const std::int64_t> owners);

  runtime::Small<std::int64_t, 96> words_;
  runtime::Small<EncodedMap, 4> maps_;
  runtime::Small<void*, 100> pointers_;
  std::size_t first_;
};

/// Does not wait.
void start(const Context&, cuda::Stream, const Launch&, Parameters&);

} // namespace tegula::gpu
