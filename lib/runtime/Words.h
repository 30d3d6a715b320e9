// Arguments as compiled programs read them.
#pragma once
#include "lib/runtime/Small.h"
#include "lib/trace/Record.h"
#include "tegula/host/op.hpp"

#include <cstdint>

namespace tegula::runtime {

/// Parameter by parameter, 64-bit words: for a view its data pointer, its extents, its strides in elements and, for an
/// index, its bound; for a scalar its value in the low bytes.
inline std::size_t count_words(const trace::Record& record) {
  std::size_t words = 0;
  for (const trace::Parameter& parameter : record.parameters)
    words += parameter.is_view ? 1 + 2 * parameter.type.shape.size() + (parameter.has_bound() ? 1 : 0) : 1;
  return words;
}
template <class Words> void pack_words(const trace::Record& record, const host::Argument* arguments, Words& words) {
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const host::Argument& argument = arguments[i];
    const trace::Parameter& parameter = record.parameters[i];
    if (!parameter.is_view) {
      words.push_back(static_cast<std::int64_t>(argument.scalar));
      continue;
    }
    const std::size_t rank = parameter.type.shape.size();
    words.push_back(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(argument.view.data)));
    for (std::size_t axis = 0; axis < rank; ++axis)
      words.push_back(argument.view.extents[axis]);
    for (std::size_t axis = 0; axis < rank; ++axis)
      words.push_back(argument.view.strides[axis]);
    if (parameter.has_bound())
      words.push_back(argument.bound);
  }
}

} // namespace tegula::runtime
