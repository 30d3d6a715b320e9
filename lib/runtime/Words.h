// Arguments of a launch as words (lib/abi/ArgumentWords.h).
#pragma once
#include "lib/runtime/Plan.h"

#include <cstdint>
#include <vector>

namespace tegula::runtime {

/// One parameter's words (ArgumentWords). Returns the end.
inline std::int64_t* pack_words(const host::ParameterFacts& facts, const host::Argument& argument, std::int64_t* to) noexcept {
  if (!facts.is_view) {
    *to++ = static_cast<std::int64_t>(argument.scalar);
    return to;
  }
  const ArgumentWords words = facts.words();
  to[ArgumentWords::pointer] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(argument.view.data));
  // Too short for vectors.
#pragma clang loop vectorize(disable) unroll(disable)
  for (int axis = 0; axis < facts.rank; ++axis) {
    to[words.extent(axis)] = argument.view.extents[axis];
    to[words.stride(axis)] = argument.view.strides[axis];
  }
  if (words.has_bound)
    to[words.bound()] = argument.bound;
  return to + words.count();
}

/// Those of all arguments.
inline std::vector<std::int64_t> pack_words(std::span<const host::ParameterFacts> facts, const host::Argument* arguments) {
  std::size_t count = 0;
  for (const host::ParameterFacts& parameter : facts)
    count += static_cast<std::size_t>(parameter.words().count());
  std::vector<std::int64_t> words(count);
  std::int64_t* to = words.data();
  for (const host::ParameterFacts& parameter : facts)
    to = pack_words(parameter, *arguments++, to);
  return words;
}

} // namespace tegula::runtime
