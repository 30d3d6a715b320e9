#include "llm/chat/Text.h"

#include <algorithm>

namespace tegula::llm::jinja {

Text::Text(std::string bytes, bool from_template) : bytes_(std::move(bytes)) {
  if (!bytes_.empty())
    runs_.push_back({bytes_.size(), from_template});
}

void Text::append(std::string_view bytes, bool from_template) {
  if (bytes.empty())
    return;
  bytes_ += bytes;
  if (!runs_.empty() && runs_.back().from_template == from_template)
    runs_.back().end = bytes_.size();
  else
    runs_.push_back({bytes_.size(), from_template});
}

void Text::append(const Text& other, std::size_t from, std::size_t to) {
  const std::string_view bytes = other.bytes_;
  for (auto run = std::ranges::upper_bound(other.runs_, from, {}, &Run::end); from < to; ++run) {
    const std::size_t end = std::min(run->end, to);
    append(bytes.substr(from, end - from), run->from_template);
    from = end;
  }
}

Text Text::slice(std::size_t from, std::size_t to) const {
  Text part;
  part.append(*this, from, to);
  return part;
}

} // namespace tegula::llm::jinja
