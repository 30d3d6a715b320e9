#include "llm/chat/TagLexer.h"
#include "llm/chat/Literals.h"

#include <algorithm>

namespace tegula::llm::jinja {
namespace {

using Kind = Token::Kind;

// Tokens: the tree of an expression may be as deep as it is long, and what walks it recurses.
constexpr std::size_t most_in_tag = 2000;
constexpr std::string_view output_end = "}}";

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }

Token read_name(Cursor& cursor) {
  const Position at = cursor.position();
  std::size_t size = 1;
  while (is_name_start(cursor.peek(size)) || is_digit_byte(cursor.peek(size)))
    ++size;
  return {Kind::name, at, std::string(cursor.take(size))};
}

/// `open` has the ends of the brackets around, the innermost last.
Token read_symbol(Cursor& cursor, std::string& open) {
  // Those of two characters come first, which start like others.
  static constexpr std::string_view symbols[] = {"//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
                                                 "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};
  static constexpr std::string_view opening = "([{", closing = ")]}";
  const Position at = cursor.position();
  const auto* symbol = std::ranges::find_if(symbols, [&](std::string_view text) { return cursor.sees(text); });
  if (symbol == std::end(symbols))
    cursor.fail(at, "the character '" + std::string(cursor.take(cursor.point_size())) + "' means nothing in a tag");
  if (const auto kind = opening.find(*symbol); kind != std::string_view::npos) {
    open += closing[kind];
  } else if (closing.find(*symbol) != std::string_view::npos) {
    if (open.empty() || open.back() != symbol->front())
      cursor.fail("there is no bracket open that '" + std::string(*symbol) + "' could close" +
                  (open.empty() ? "" : "; expected '" + open.substr(open.size() - 1) + "'"));
    open.pop_back();
  }
  return {Kind::symbol, at, std::string(cursor.take(symbol->size()))};
}

Token read_token(Cursor& cursor, std::string& open) {
  const char c = cursor.peek();
  if (is_digit_byte(c))
    return read_number(cursor);
  if (c == '\'' || c == '"')
    return read_string(cursor);
  return is_name_start(c) ? read_name(cursor) : read_symbol(cursor, open);
}

} // namespace

bool skip_end(Cursor& cursor, std::string_view close) {
  if (cursor.skip("-" + std::string(close))) {
    cursor.skip_space();
    return true;
  }
  if (close == output_end)
    return cursor.skip(close);
  if (cursor.skip("+" + std::string(close)))
    return true;
  if (!cursor.skip(close))
    return false;
  cursor.skip("\n");
  return true;
}

void read_tag(Cursor& cursor, std::vector<Token>& tokens, bool is_block) {
  std::string open;
  const std::size_t first = tokens.size();
  while (!cursor.at_end()) {
    const Position at = cursor.position();
    if (tokens.size() - first > most_in_tag)
      cursor.fail("a tag of more than " + std::to_string(most_in_tag) + " names, strings and symbols is not supported");
    if (open.empty() && skip_end(cursor, is_block ? "%}" : output_end)) {
      tokens.push_back({is_block ? Kind::block_end : Kind::output_end, at, {}});
      return;
    }
    if (cursor.sees_space())
      cursor.skip_space();
    else
      tokens.push_back(read_token(cursor, open));
  }
}

} // namespace tegula::llm::jinja
