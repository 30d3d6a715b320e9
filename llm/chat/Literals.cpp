#include "llm/chat/Literals.h"

#include <algorithm>
#include <charconv>

namespace tegula::llm::jinja {
namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_digit_of(char c, int base) {
  if (base <= 10)
    return c >= '0' && c < '0' + base;
  return is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// How many bytes digits take from `from` on, of which single `_` may separate two.
std::size_t digits_at(std::string_view text, std::size_t from, int base) {
  std::size_t end = from;
  while (end < text.size() && (is_digit_of(text[end], base) ||
                               (text[end] == '_' && end > from && end + 1 < text.size() && is_digit_of(text[end + 1], base))))
    ++end;
  return end - from;
}

/// How many bytes a floating-point number takes; 0, if there is none.
std::size_t real_at(std::string_view text) {
  std::size_t end = digits_at(text, 0, 10);
  bool real = false;
  if (end < text.size() && text[end] == '.')
    if (const std::size_t fraction = digits_at(text, end + 1, 10)) {
      end += 1 + fraction;
      real = true;
    }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-') ? 1 : 0;
    if (const std::size_t exponent = digits_at(text, end + 1 + sign, 10)) {
      end += 1 + sign + exponent;
      real = true;
    }
  }
  return real ? end : 0;
}

std::string without_separators(std::string_view digits) {
  std::string plain(digits);
  std::erase(plain, '_');
  return plain;
}

/// A code point of `count` hexadecimal digits.
void read_point(Cursor& cursor, std::size_t count, std::string& value) {
  std::uint32_t point = 0;
  const std::string digits(cursor.rest().substr(0, count));
  const bool complete = digits.size() == count && std::ranges::all_of(digits, [](char c) { return is_digit_of(c, 16); });
  if (complete)
    std::from_chars(digits.data(), digits.data() + digits.size(), point, 16);
  if (!complete || point > 0x10FFFF || is_surrogate(point))
    cursor.fail("this escape sequence needs " + std::to_string(count) + " hexadecimal digits that are a character of Unicode");
  append_point(value, point);
  cursor.skip(count);
}

void read_octal(Cursor& cursor, std::string& value) {
  std::uint32_t point = 0;
  for (int digit = 0; digit < 3 && is_digit_of(cursor.peek(), 8); ++digit) {
    point = point * 8 + static_cast<std::uint32_t>(cursor.peek() - '0');
    cursor.skip(1);
  }
  append_point(value, point);
}

/// Behind a backslash.
void read_escape(Cursor& cursor, std::string& value) {
  static constexpr std::string_view letters = "abfnrtv\\'\"", meanings = "\a\b\f\n\r\t\v\\'\"";
  const char letter = cursor.peek();
  if (const auto found = letters.find(letter); found != std::string_view::npos) {
    value += meanings[found];
    cursor.skip(1);
  } else if (letter == '\n') {
    cursor.skip(1);
  } else if (is_digit_of(letter, 8)) {
    read_octal(cursor, value);
  } else if (letter == 'x' || letter == 'u' || letter == 'U') {
    cursor.skip(1);
    read_point(cursor, letter == 'x' ? 2 : letter == 'u' ? 4 : 8, value);
  } else if (letter == 'N') {
    cursor.fail("characters by name, as in '\\N{name}', are not supported; write the character itself");
  } else if (!is_ascii({&letter, 1})) {
    cursor.fail("a backslash before this character is not supported; write two for a backslash");
  } else {
    value += '\\';
  }
}

} // namespace

std::optional<std::int64_t> to_integer(std::string_view digits, int base) {
  const std::string plain = without_separators(digits);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value, base);
  return error == std::errc() && end == plain.data() + plain.size() ? std::optional(value) : std::nullopt;
}

Token read_number(Cursor& cursor) {
  Token token{Token::Kind::integer, cursor.position(), {}};
  // Behind a dot it is the number of an element: x.0.1 is not x by 0.1.
  if (const std::size_t bytes = cursor.before() == '.' ? 0 : real_at(cursor.rest())) {
    token.kind = Token::Kind::real;
    token.text = cursor.take(bytes);
    const std::string plain = without_separators(token.text);
    if (std::from_chars(plain.data(), plain.data() + plain.size(), token.real).ec != std::errc())
      cursor.fail(token.at, "the number " + token.text + " does not fit a floating-point number of 64 bits");
    return token;
  }
  int base = 10;
  if (cursor.peek() == '0') {
    const char letter = static_cast<char>(cursor.peek(1) | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 1;
  }
  std::size_t prefix = base == 10 || base == 1 ? 0 : 2;
  std::size_t digits = digits_at(cursor.rest(), prefix + (cursor.peek(prefix) == '_' && prefix ? 1 : 0), base);
  if (prefix && !digits) { // "0x" of something else
    base = 1;
    prefix = 0;
  }
  if (base == 1) { // zeros only: in 007 the 7 is another number
    base = 10;
    digits = digits_at(cursor.rest(), 0, 1);
  } else if (prefix && cursor.peek(prefix) == '_') {
    ++digits;
  }
  const std::string_view written = cursor.take(prefix + digits);
  const auto value = to_integer(written.substr(prefix), base);
  if (!value)
    cursor.fail(token.at, "the integer " + std::string(written) + " does not fit 64 bits");
  token.integer = *value;
  token.text = written;
  return token;
}

Token read_string(Cursor& cursor) {
  Token token{Token::Kind::string, cursor.position(), {}};
  const char quote = cursor.take(1).front();
  while (!cursor.sees(std::string_view(&quote, 1))) {
    if (cursor.at_end())
      cursor.fail(token.at, "this string has no end; close it with " + std::string(1, quote));
    if (cursor.peek() == '\\') {
      cursor.skip(1);
      read_escape(cursor, token.text);
      continue;
    }
    token.text += cursor.take(cursor.point_size());
  }
  cursor.skip(1);
  return token;
}

} // namespace tegula::llm::jinja
