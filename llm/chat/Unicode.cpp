#include "llm/chat/Unicode.h"

#include <algorithm>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

namespace tegula::llm::jinja {
namespace {

bool starts_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

template <class Map> std::string mapped(std::string_view text, const Map& map) {
  icu::UnicodeString units = icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  map(units);
  std::string bytes;
  return units.toUTF8String(bytes);
}

} // namespace

std::optional<std::size_t> find_malformed(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const std::size_t start = offset;
    UChar32 point = 0;
    U8_NEXT(text.data(), offset, text.size(), point); // NOLINT(bugprone-inc-dec-in-conditions): as the macro is written
    if (point < 0)
      return start;
  }
  return std::nullopt;
}

char32_t next_point(std::string_view text, std::size_t& offset) {
  UChar32 point = 0;
  U8_NEXT(text.data(), offset, text.size(), point); // NOLINT(bugprone-inc-dec-in-conditions): as the macro is written
  return static_cast<char32_t>(point);
}

std::size_t point_before(std::string_view text, std::size_t offset) {
  do
    --offset;
  while (offset > 0 && !starts_point(text[offset]));
  return offset;
}

std::size_t count_points(std::string_view text) { return static_cast<std::size_t>(std::ranges::count_if(text, starts_point)); }

std::size_t offset_of(std::string_view text, std::size_t number) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    if (starts_point(text[offset]) && number-- == 0)
      return offset;
    ++offset;
  }
  return offset;
}

void append_point(std::string& bytes, char32_t point) {
  char buffer[U8_MAX_LENGTH];
  std::size_t size = 0;
  U8_APPEND_UNSAFE(buffer, size, static_cast<std::uint32_t>(point));
  bytes.append(buffer, size);
}

// The space of Python, which differs from Unicode's: it includes the separators U+001C to U+001F.
bool is_space(char32_t point) {
  return (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x20) || point == 0x85 || point == 0xA0 ||
         point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 || point == 0x202F ||
         point == 0x205F || point == 0x3000;
}

bool is_blank(std::string_view text) { return !text.empty() && start_without_space(text) == text.size(); }

std::size_t end_without_space(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t start = point_before(text, end);
    std::size_t at = start;
    if (!is_space(next_point(text, at)))
      return end;
    end = start;
  }
  return end;
}

std::size_t start_without_space(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = at;
    if (!is_space(next_point(text, at)))
      return start;
  }
  return at;
}

bool is_printable(char32_t point) {
  switch (u_charType(static_cast<UChar32>(point))) {
  case U_UNASSIGNED:
  case U_CONTROL_CHAR:
  case U_FORMAT_CHAR:
  case U_PRIVATE_USE_CHAR:
  case U_SURROGATE:
  case U_LINE_SEPARATOR:
  case U_PARAGRAPH_SEPARATOR:
    return false;
  case U_SPACE_SEPARATOR:
    return point == ' ';
  default:
    return true;
  }
}

bool is_digit(char32_t point) {
  const int type = u_getIntPropertyValue(static_cast<UChar32>(point), UCHAR_NUMERIC_TYPE);
  return type == U_NT_DECIMAL || type == U_NT_DIGIT;
}
bool is_numeric(char32_t point) { return u_getIntPropertyValue(static_cast<UChar32>(point), UCHAR_NUMERIC_TYPE) != U_NT_NONE; }
bool is_letter(char32_t point) { return u_isalpha(static_cast<UChar32>(point)); }
bool is_upper(char32_t point) { return u_isUUppercase(static_cast<UChar32>(point)); }
bool is_lower(char32_t point) { return u_isULowercase(static_cast<UChar32>(point)); }

bool has_case(std::string_view text, bool upper) {
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = next_point(text, at);
    if (upper ? is_lower(point) : is_upper(point))
      return false;
    any = any || (upper ? is_upper(point) : is_lower(point));
  }
  return any;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

std::string to_upper(std::string_view text) {
  return mapped(text, [](icu::UnicodeString& units) { units.toUpper(icu::Locale::getRoot()); });
}
std::string to_lower(std::string_view text) {
  return mapped(text, [](icu::UnicodeString& units) { units.toLower(icu::Locale::getRoot()); });
}

} // namespace tegula::llm::jinja
