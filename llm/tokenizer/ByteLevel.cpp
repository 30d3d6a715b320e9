#include "llm/tokenizer/ByteLevel.h"
#include "llm/tokenizer/Utf8.h"

#include <array>

namespace tegula::llm {
namespace {

/// Visible characters of Latin-1 are the bytes of their codes; the other bytes, in order, are U+0100 and those that follow.
constexpr bool is_visible(char32_t code) {
  return (code > 0x20 && code < 0x7F) || (code > 0xA0 && code < 0x100 && code != 0xAD); // U+00AD is the soft hyphen
}

constexpr char32_t first_invisible = 0x100;
constexpr auto invisible = [] {
  std::array<char, 68> bytes{};
  std::size_t count = 0;
  for (char32_t code = 0; code < 0x100; ++code)
    if (!is_visible(code))
      bytes[count++] = static_cast<char>(code);
  return bytes;
}();

} // namespace

bool append_bytes(std::string& bytes, std::string_view text) {
  const std::size_t before = bytes.size();
  for (const char *at = text.data(), *end = at + text.size(); at != end;) {
    const Character character = character_at(at);
    at += character.length;
    if (is_visible(character.code)) {
      bytes += static_cast<char>(character.code);
    } else if (character.code >= first_invisible && character.code - first_invisible < invisible.size()) {
      bytes += invisible[character.code - first_invisible];
    } else {
      bytes.resize(before);
      return false;
    }
  }
  return true;
}

} // namespace tegula::llm
