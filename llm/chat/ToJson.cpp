#include "llm/chat/Json.h"
#include "llm/chat/Show.h"
#include "llm/chat/Unicode.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tegula::llm::jinja {
namespace {

class Writer {
public:
  Writer(Run& run, const JsonStyle& style) : run_(run), style_(style) {}
  Text out;

  void write(const Value& value) {
    run_.step();
    const List* list = value.as_list();
    if (const Text* text = value.as_any_text())
      write(*text);
    else if (list && (list->form == List::Form::list || list->form == List::Form::tuple))
      write(*list);
    else if (const Dict* dict = value.as_dict())
      write(*dict);
    else
      put(scalar(value));
  }

private:
  void put(std::string_view bytes) {
    run_.make(bytes.size());
    out.append_value(bytes);
  }

  std::string scalar(const Value& value) const {
    if (value.is_none())
      return "null";
    if (const auto* boolean = value.get<bool>())
      return *boolean ? "true" : "false";
    if (const auto* integer = value.get<std::int64_t>())
      return std::to_string(*integer);
    if (const auto* real = value.get<double>())
      return std::isnan(*real) ? "NaN" : std::isinf(*real) ? (*real < 0 ? "-Infinity" : "Infinity") : real_text(*real);
    if (const auto* undefined = value.get<Undefined>())
      run_.fail(*undefined->why);
    run_.fail("a value of type " + std::string(type_name(value)) + " cannot be written as JSON");
  }

  void write(const Text& text) {
    const std::string& bytes = text.bytes();
    put("\"");
    std::size_t done = 0; // what needs no escape is copied together
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t start = at;
      const std::string escaped = escape(next_point(bytes, at));
      if (escaped.empty())
        continue;
      copy(text, done, start);
      put(escaped);
      done = at;
    }
    copy(text, done, bytes.size());
    put("\"");
  }
  void copy(const Text& text, std::size_t from, std::size_t to) {
    run_.make(to - from);
    out.append(text, from, to);
  }

  std::string escape(char32_t point) const {
    static constexpr std::string_view plain = "\"\\\n\r\t\f\b", letters = "\"\\nrtfb";
    if (const auto found = point < 0x80 ? plain.find(static_cast<char>(point)) : std::string_view::npos;
        found != std::string_view::npos)
      return {'\\', letters[found]};
    if (point >= 0x20 && !(style_.ascii && point > 0x7E))
      return {};
    if (point < 0x10000)
      return unit(point);
    return unit(0xD800 + ((point - 0x10000) >> 10)) + unit(0xDC00 + ((point - 0x10000) & 0x3FF));
  }
  static std::string unit(char32_t value) {
    char buffer[8];
    std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(value));
    return buffer;
  }

  void write(const List& list) {
    if (list.items.empty())
      return put("[]");
    put("[");
    ++depth_;
    for (const Value& item : list.items) {
      start_element(&item == &list.items.front());
      write(item);
    }
    --depth_;
    break_line();
    put("]");
  }

  void write(const Dict& dict) {
    if (dict.entries().empty())
      return put("{}");
    std::vector<const Dict::Entry*> entries;
    for (const Dict::Entry& entry : dict.entries())
      entries.push_back(&entry);
    if (style_.sorted)
      sort(entries);
    put("{");
    ++depth_;
    for (const Dict::Entry* entry : entries) {
      start_element(entry == entries.front());
      write_key(entry->first);
      put(style_.colon);
      write(entry->second);
    }
    --depth_;
    break_line();
    put("}");
  }

  void sort(std::vector<const Dict::Entry*>& entries) const {
    for (const Dict::Entry* entry : entries)
      if (!entry->first.as_text())
        run_.fail("only keys that are strings can be sorted in JSON");
    run_.step(entries.size() * 16);
    std::ranges::sort(entries, {}, [](const Dict::Entry* entry) -> const std::string& { return entry->first.as_text()->bytes(); });
  }

  void write_key(const Value& key) {
    if (const Text* text = key.as_text())
      write(*text);
    else
      put("\"" + scalar(key) + "\"");
  }

  void start_element(bool first) {
    if (!first)
      put(style_.between);
    break_line();
  }
  void break_line() {
    if (!style_.indent)
      return;
    put("\n");
    for (int level = 0; level < depth_; ++level)
      put(*style_.indent);
  }

  Run& run_;
  const JsonStyle& style_;
  int depth_ = 0;
};

} // namespace

Text to_json(Run& run, const Value& value, const JsonStyle& style) {
  Writer writer(run, style);
  writer.write(value);
  return std::move(writer.out);
}

} // namespace tegula::llm::jinja
