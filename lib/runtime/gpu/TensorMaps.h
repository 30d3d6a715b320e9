// Descriptions of tensors for TMA.
#pragma once
#include "lib/abi/ArgumentWords.h"
#include "lib/abi/GpuKernel.h"
#include "lib/runtime/gpu/Context.h"

#include <array>
#include <span>

namespace tegula::gpu {

/// As the driver encodes it. Kernels take it by value.
struct alignas(64) EncodedMap {
  std::array<std::uint64_t, 16> words;
};

/// Of the view among a launch's arguments (see GpuKernel) that the map is about. `purpose()` starts the message of an error.
template <class Purpose> void encode_map(const Context& context, const TensorMap& map, std::span<const std::int64_t> words,
                                         EncodedMap& encoded, const Purpose& purpose) {
  constexpr unsigned most_axes = 5;
  std::array<std::uint64_t, most_axes> extents{}, strides{};
  std::array<std::uint32_t, most_axes> box{}, steps{};
  const auto rank = static_cast<unsigned>(map.box.size());
  const ArgumentWords layout{.is_view = true, .rank = static_cast<int>(rank)};
  const auto of_view = words.subspan(static_cast<std::size_t>(map.word));
  auto word = [&](int place) { return of_view[static_cast<std::size_t>(place)]; };
  for (unsigned i = 0; i < rank; ++i) { // TMA's first axis is the one of stride 1
    const auto axis = static_cast<int>(map.order[rank - 1 - i]);
    extents[i] = static_cast<std::uint64_t>(word(layout.extent(axis)));
    box[i] = static_cast<std::uint32_t>(map.box[static_cast<std::size_t>(axis)]);
    steps[i] = 1;
    constexpr std::uint64_t any_stride = 16; // of an axis that is never stepped along
    if (i > 0)
      strides[i - 1] = extents[i] == 1 ? any_stride : static_cast<std::uint64_t>(word(layout.stride(axis)) * map.element_bytes);
  }
  // Unsigned integers of the elements' size: the bits are all that is copied. Numbers as the driver's interface fixes them.
  const int type = map.element_bytes == 1 ? 0 : map.element_bytes == 2 ? 1 : map.element_bytes == 4 ? 2 : 4;
  const int swizzle = map.swizzle_bytes == 128 ? 3 : map.swizzle_bytes == 64 ? 2 : map.swizzle_bytes == 32 ? 1 : 0;
  constexpr int no_interleave = 0, promote_to_128_bytes = 2, fill_with_zeros = 0;
  context.call(context.driver().cuTensorMapEncodeTiled, purpose, static_cast<void*>(&encoded), type, rank,
               static_cast<cuda::Address>(word(ArgumentWords::pointer)), static_cast<const std::uint64_t*>(extents.data()),
               static_cast<const std::uint64_t*>(strides.data()), static_cast<const std::uint32_t*>(box.data()),
               static_cast<const std::uint32_t*>(steps.data()), no_interleave, swizzle, promote_to_128_bytes, fill_with_zeros);
}

} // namespace tegula::gpu
