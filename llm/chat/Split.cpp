// Cutting strings into parts.
#include "llm/chat/Search.h"
#include "llm/chat/Strings.h"
#include "llm/chat/Unicode.h"

#include <algorithm>

namespace tegula::llm::jinja {
namespace {

class Parts {
public:
  Parts(Run& run, const Text& text) : run_(run), text_(text) { run.look(text.size()); }

  void add(std::size_t from, std::size_t to) { parts_.push_back(run_.text(text_.slice(from, to))); }
  Value in_order() { return run_.list(std::move(parts_)); }
  Value reversed() {
    std::ranges::reverse(parts_);
    return in_order();
  }

private:
  Run& run_;
  const Text& text_;
  std::vector<Value> parts_;
};

std::size_t skip(std::string_view bytes, std::size_t at, bool space) {
  while (at < bytes.size()) {
    const std::size_t start = at;
    if (is_space(next_point(bytes, at)) != space)
      return start;
  }
  return at;
}
std::size_t skip_back(std::string_view bytes, std::size_t at, bool space) {
  while (at > 0) {
    std::size_t start = point_before(bytes, at);
    const std::size_t before = start;
    if (is_space(next_point(bytes, start)) != space)
      return at;
    at = before;
  }
  return at;
}

Value split_at_space(Run& run, const Text& text, std::int64_t most) {
  Parts parts(run, text);
  const std::string_view bytes = text.bytes();
  for (std::size_t at = skip(bytes, 0, true); at < bytes.size(); --most) {
    const std::size_t end = most == 0 ? bytes.size() : skip(bytes, at, false);
    parts.add(at, end);
    at = skip(bytes, end, true);
  }
  return parts.in_order();
}

Value split_at_space_from_end(Run& run, const Text& text, std::int64_t most) {
  Parts parts(run, text);
  const std::string_view bytes = text.bytes();
  for (std::size_t at = skip_back(bytes, bytes.size(), true); at > 0; --most) {
    const std::size_t start = most == 0 ? 0 : skip_back(bytes, at, false);
    parts.add(start, at);
    at = skip_back(bytes, start, true);
  }
  return parts.reversed();
}

/// The line break at `at`, in bytes; 0, if there is none. `point` is the code point there, and `next` where it ends.
std::size_t line_break(std::string_view bytes, std::size_t at, char32_t point, std::size_t next) {
  if (point == '\r' && next < bytes.size() && bytes[next] == '\n')
    return 2;
  const bool breaks =
      (point >= 0x0A && point <= 0x0D) || (point >= 0x1C && point <= 0x1E) || point == 0x85 || point == 0x2028 || point == 0x2029;
  return breaks ? next - at : 0;
}

void require_separator(Run& run, const Text& separator) {
  if (separator.empty())
    run.fail("a string cannot be split at an empty separator");
}

} // namespace

Value split(Run& run, const Text& text, const Text* separator, std::int64_t most) {
  if (!separator)
    return split_at_space(run, text, most);
  require_separator(run, *separator);
  Parts parts(run, text);
  std::size_t at = 0;
  for (; most != 0; --most) {
    const auto found = find_in(text.bytes(), separator->bytes(), at);
    if (!found)
      break;
    parts.add(at, *found);
    at = *found + separator->size();
  }
  parts.add(at, text.size());
  return parts.in_order();
}

Value split_from_end(Run& run, const Text& text, const Text* separator, std::int64_t most) {
  if (!separator)
    return split_at_space_from_end(run, text, most);
  require_separator(run, *separator);
  run.look(text.size() * (separator->size() + 1)); // what searching backwards takes at worst
  Parts parts(run, text);
  std::size_t end = text.size();
  for (; most != 0 && end >= separator->size(); --most) {
    const std::size_t found = text.bytes().rfind(separator->bytes(), end - separator->size());
    if (found == std::string::npos)
      break;
    parts.add(found + separator->size(), end);
    end = found;
  }
  parts.add(0, end);
  return parts.reversed();
}

Value split_lines(Run& run, const Text& text, bool keep_ends) {
  Parts parts(run, text);
  const std::string_view bytes = text.bytes();
  std::size_t start = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t before = at;
    const char32_t point = next_point(bytes, at);
    const std::size_t size = line_break(bytes, before, point, at);
    if (size == 0)
      continue;
    at = before + size;
    parts.add(start, keep_ends ? at : before);
    start = at;
  }
  if (start < bytes.size())
    parts.add(start, bytes.size());
  return parts.in_order();
}

} // namespace tegula::llm::jinja
