#include "llm/chat/Strings.h"
#include "llm/chat/Search.h"
#include "llm/chat/Unicode.h"

#include <algorithm>

namespace tegula::llm::jinja {
namespace {

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char upper_of(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Text of the same length and origin, of other bytes.
Text with_bytes(const Text& text, const std::string& bytes) {
  Text changed;
  std::size_t start = 0;
  for (const Text::Run& run : text.runs()) {
    std::string part = bytes.substr(start, run.end - start);
    const Text mapped = run.from_template ? Text::of_template(std::move(part)) : Text::of_value(std::move(part));
    changed.append(mapped);
    start = run.end;
  }
  return changed;
}

Text mapped(Run& run, const Text& text, char (*of_letter)(char), std::string (*of_all)(std::string_view)) {
  run.look(text.size());
  run.make(3 * text.weight());
  if (is_ascii(text.bytes())) {
    std::string bytes = text.bytes();
    std::ranges::transform(bytes, bytes.begin(), of_letter);
    return with_bytes(text, bytes);
  }
  std::string bytes = of_all(text.bytes());
  const bool is_template = text.runs().size() == 1 && text.runs().front().from_template;
  return is_template ? Text::of_template(std::move(bytes)) : Text::of_value(std::move(bytes));
}

void require_ascii(Run& run, const Text& text) {
  run.look(text.size());
  run.make(2 * text.weight());
  if (!is_ascii(text.bytes()))
    run.fail("to capitalize text beyond ASCII is not supported");
}

template <class Separates> Text by_words(Run& run, const Text& text, const Separates& separates) {
  require_ascii(run, text);
  std::string bytes = text.bytes();
  bool within = false;
  for (char& c : bytes) {
    c = within ? lower_of(c) : upper_of(c);
    within = !separates(c);
  }
  return with_bytes(text, bytes);
}

/// Characters as a set.
bool contains(std::string_view characters, char32_t point) {
  for (std::size_t at = 0; at < characters.size();)
    if (next_point(characters, at) == point)
      return true;
  return false;
}

} // namespace

Text strip(Run& run, const Text& text, const Text* characters, Ends ends) {
  const std::string_view bytes = text.bytes();
  const auto goes = [&](std::size_t at) {
    run.step(1 + (characters ? characters->size() / 8 : 0));
    const char32_t point = next_point(bytes, at);
    return characters ? contains(characters->bytes(), point) : is_space(point);
  };
  std::size_t from = 0, to = bytes.size();
  while (ends.start && from < to && goes(from))
    next_point(bytes, from);
  while (ends.end && from < to && goes(point_before(bytes, to)))
    to = point_before(bytes, to);
  return text.slice(from, to);
}

Text replace(Run& run, const Text& text, const Text& old, const Text& with, std::int64_t most) {
  run.look(text.size());
  Text result;
  std::size_t done = 0, at = 0;
  while (most != 0) {
    const auto found = find_in(text.bytes(), old.bytes(), at);
    if (!found)
      break;
    run.step();
    run.make(with.weight());
    result.append(text, done, *found);
    result.append(with);
    done = at = *found + old.size();
    most -= most > 0 ? 1 : 0;
    if (!old.empty())
      continue;
    if (at == text.size())
      break;
    next_point(text.bytes(), at);
  }
  result.append(text, done, text.size());
  return result;
}

Text join(Run& run, const Text& separator, const std::vector<Text>& parts) {
  Text joined;
  for (const Text& part : parts) {
    if (&part != &parts.front()) {
      run.make(separator.weight());
      joined.append(separator);
    }
    joined.append(part);
  }
  return joined;
}

Text upper(Run& run, const Text& text) { return mapped(run, text, upper_of, to_upper); }
Text lower(Run& run, const Text& text) { return mapped(run, text, lower_of, to_lower); }

Text capitalize(Run& run, const Text& text) {
  require_ascii(run, text);
  std::string bytes = text.bytes();
  std::ranges::transform(bytes, bytes.begin(), lower_of);
  if (!bytes.empty())
    bytes.front() = upper_of(bytes.front());
  return with_bytes(text, bytes);
}

Text title(Run& run, const Text& text) {
  return by_words(run, text, [](char c) { return !is_ascii_letter(c); });
}
Text title_words(Run& run, const Text& text) {
  return by_words(run, text, [](char c) {
    return is_space(static_cast<unsigned char>(c)) || std::string_view("-({[<").find(c) != std::string_view::npos;
  });
}

Text escape(Run& run, const Text& text) {
  static constexpr std::string_view characters = "&<>'\"";
  static constexpr std::string_view escapes[] = {"&amp;", "&lt;", "&gt;", "&#39;", "&#34;"};
  const std::string_view bytes = text.bytes();
  Text escaped;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = bytes.find_first_of(characters, at)) != std::string_view::npos; done = ++at) {
    const std::string_view name = escapes[characters.find(bytes[at])];
    run.make(name.size());
    escaped.append(text, done, at);
    escaped.append_value(name);
  }
  escaped.append(text, done, text.size());
  return escaped;
}

std::int64_t find_place(Run& run, const Text& text, std::string_view part, bool last) {
  const std::string_view bytes = text.bytes();
  std::optional<std::size_t> found;
  if (!last) {
    run.look(bytes.size());
    found = find_in(bytes, part, 0);
  } else {
    run.look(bytes.size() * (part.size() + 1)); // what it takes at worst
    if (const std::size_t at = bytes.rfind(part); at != std::string_view::npos)
      found = at;
  }
  return found ? static_cast<std::int64_t>(count_points(bytes.substr(0, *found))) : -1;
}

std::int64_t count_of(Run& run, const Text& text, std::string_view part) {
  run.look(text.size());
  if (part.empty())
    return static_cast<std::int64_t>(count_points(text.bytes())) + 1;
  std::int64_t count = 0;
  for (auto at = find_in(text.bytes(), part, 0); at; at = find_in(text.bytes(), part, *at + part.size()))
    ++count;
  return count;
}

} // namespace tegula::llm::jinja
