#include "llm/chat/Lexer.h"
#include "llm/chat/TagLexer.h"

namespace tegula::llm::jinja {
namespace {

using Kind = Token::Kind;

class Lexer {
public:
  Lexer(const std::string& name, std::string_view source) : cursor_(name, source) {}

  std::vector<Token> run() {
    while (!cursor_.at_end())
      read_words();
    tokens_.push_back({Kind::end, cursor_.position(), {}});
    return std::move(tokens_);
  }

private:
  /// Up to a tag, and the tag.
  void read_words() {
    const bool starts_line = cursor_.offset() == 0 || cursor_.before() == '\n';
    const Position at = cursor_.position();
    const std::string_view words = cursor_.take(find_tag());
    if (cursor_.at_end())
      return add_words(at, words);
    const char kind = cursor_.peek(1), sign = cursor_.peek(2);
    add_words(at, trimmed(words, kind, sign, starts_line));
    const Position tag = cursor_.position();
    if (kind == '%' && skip_raw_begin())
      return read_raw(tag);
    cursor_.skip(sign == '-' || sign == '+' ? 3 : 2);
    if (kind == '#')
      return read_comment(tag);
    tokens_.push_back({kind == '%' ? Kind::block : Kind::output, tag, {}});
    read_tag(cursor_, tokens_, kind == '%');
  }

  std::size_t find_tag() const {
    const std::string_view rest = cursor_.rest();
    std::size_t at = 0;
    while ((at = rest.find('{', at)) != std::string_view::npos) {
      if (at + 1 < rest.size() && std::string_view("{%#").find(rest[at + 1]) != std::string_view::npos)
        return at;
      ++at;
    }
    return rest.size();
  }

  /// Words before a tag that starts with `{kind sign`.
  static std::string_view trimmed(std::string_view words, char kind, char sign, bool starts_line) {
    if (sign == '-')
      return words.substr(0, end_without_space(words));
    if (sign == '+' || kind == '{')
      return words;
    const std::size_t line_break = words.rfind('\n'), indent = line_break == std::string_view::npos ? 0 : line_break + 1;
    return (indent > 0 || starts_line) && is_blank(words.substr(indent)) ? words.substr(0, indent) : words;
  }

  void add_words(Position at, std::string_view words) {
    if (!words.empty())
      tokens_.push_back({Kind::words, at, std::string(words)});
  }

  void read_comment(Position at) {
    while (!skip_end(cursor_, "#}")) {
      if (cursor_.at_end())
        cursor_.fail(at, "this comment has no end; close it with '#}'");
      cursor_.skip(cursor_.point_size());
    }
  }

  /// `{% raw %}`, whose end takes no line break with it.
  bool skip_raw_begin() {
    Cursor ahead = cursor_;
    ahead.skip(2);
    if (ahead.peek() == '-' || ahead.peek() == '+')
      ahead.skip(1);
    ahead.skip_space();
    if (!ahead.skip("raw"))
      return false;
    ahead.skip_space();
    const bool strips = ahead.skip("-%}");
    if (!strips && !ahead.skip("%}"))
      return false;
    if (strips)
      ahead.skip_space();
    cursor_ = ahead;
    return true;
  }

  void read_raw(Position tag) {
    const bool starts_line = cursor_.before() == '\n';
    const Position at = cursor_.position();
    const Cursor start = cursor_;
    while (true) {
      const std::size_t next = cursor_.rest().find("{%");
      if (next == std::string_view::npos)
        cursor_.fail(tag, "this 'raw' has no end; close it with '{% endraw %}'");
      cursor_.skip(next);
      const std::string_view words = start.rest().substr(0, cursor_.offset() - start.offset());
      cursor_.skip(2);
      const char sign = cursor_.peek();
      Cursor ahead = cursor_;
      if (sign == '-' || sign == '+')
        ahead.skip(1);
      ahead.skip_space();
      if (!ahead.skip("endraw"))
        continue;
      ahead.skip_space();
      std::swap(cursor_, ahead);
      if (skip_end(cursor_, "%}"))
        return add_words(at, trimmed(words, '%', sign, starts_line));
      std::swap(cursor_, ahead);
    }
  }

  Cursor cursor_;
  std::vector<Token> tokens_;
};

/// Line breaks are written \n, and the last one is dropped.
std::string normalized(std::string_view source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r')
      text += source[i];
    else if (i + 1 == source.size() || source[i + 1] != '\n')
      text += '\n';
  }
  if (text.ends_with('\n'))
    text.pop_back();
  return text;
}

} // namespace

std::vector<Token> tokenize(const std::string& name, std::string_view source) {
  if (const auto malformed = find_malformed(source))
    fail_at(name, {1, 1}, "the template is not UTF-8: see byte " + std::to_string(*malformed));
  const std::string text = normalized(source);
  return Lexer(name, text).run();
}

} // namespace tegula::llm::jinja
