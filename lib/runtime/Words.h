// Arguments as compiled programs read them.
#pragma once
#include "lib/trace/Record.h"
#include "tegula/host/op.hpp"

#include <cstdint>

namespace tegula::runtime {

/// Parameter by parameter, 64-bit words: for a view its data pointer, its extents, its strides in elements and, for a certified
/// index, its bound; for a scalar its value in the low bytes.
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
    words.insert(words.end(), argument.view.extents, argument.view.extents + rank);
    words.insert(words.end(), argument.view.strides, argument.view.strides + rank);
    if (parameter.is_certified())
      words.push_back(argument.bound);
  }
}

} // namespace tegula::runtime
