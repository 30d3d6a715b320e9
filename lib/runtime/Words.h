// Arguments as compiled programs read them.
#pragma once
#include "lib/runtime/Plan.h"

#include <cstdint>
#include <vector>

namespace tegula::runtime {

/// 64-bit words, parameter by parameter: for a view its data pointer, its extents, its strides in elements and, for an index, its
/// bound; for a scalar its value in the low bytes. Returns the end.
inline std::int64_t* pack_words(const host::ParameterFacts& facts, const host::Argument& argument, std::int64_t* to) noexcept {
  if (!facts.is_view) {
    *to++ = static_cast<std::int64_t>(argument.scalar);
    return to;
  }
  *to++ = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(argument.view.data));
  // Too short for vectors.
#pragma clang loop vectorize(disable) unroll(disable)
  for (int axis = 0; axis < facts.rank; ++axis) {
    to[axis] = argument.view.extents[axis];
    to[facts.rank + axis] = argument.view.strides[axis];
  }
  to += 2 * facts.rank;
  if (facts.has_bound)
    *to++ = argument.bound;
  return to;
}

/// Those of all arguments.
inline std::vector<std::int64_t> pack_words(std::span<const host::ParameterFacts> facts, const host::Argument* arguments) {
  std::size_t count = 0;
  for (const host::ParameterFacts& parameter : facts)
    count += parameter.words();
  std::vector<std::int64_t> words(count);
  std::int64_t* to = words.data();
  for (const host::ParameterFacts& parameter : facts)
    to = pack_words(parameter, *arguments++, to);
  return words;
}

} // namespace tegula::runtime
