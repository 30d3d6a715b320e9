#include "lib/runtime/Words.h"

namespace tegula::runtime {

std::vector<std::int64_t> pack_words(const trace::Record& record, const host::Argument* arguments, int n) {
  std::vector<std::int64_t> words;
  words.reserve(static_cast<std::size_t>(n) * 5);
  for (int i = 0; i < n; ++i) {
    const host::Argument& argument = arguments[i];
    const trace::Parameter& parameter = record.parameters[static_cast<std::size_t>(i)];
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
  return words;
}

} // namespace tegula::runtime
