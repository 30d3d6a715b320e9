#include "llm/tokenizer/Utf8.h"

#include <cstring>

namespace tegula::llm {
namespace {

/// How many bytes at the front are one character, or belong to one that is broken, or cut off by the end.
struct Part {
  enum { character, broken, cut } kind;
  std::size_t length;
};

Part part_at(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80)
    return {Part::character, 1};
  if (lead < 0xC2 || lead > 0xF4) // C0 and C1 would be ASCII in two bytes, F5 and more beyond U+10FFFF
    return {Part::broken, 1};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte says whether a character has more bytes than it needs, is a surrogate, or is beyond U+10FFFF.
  unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t i = 1; i < length; ++i, low = 0x80, high = 0xBF) {
    if (i == bytes.size())
      return {Part::cut, i};
    if (byte(i) < low || byte(i) > high)
      return {Part::broken, i};
  }
  return {Part::character, length};
}

/// How many bytes at the front are whole characters.
std::size_t valid_prefix(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (at + 8 <= bytes.size()) {
      std::uint64_t eight;
      std::memcpy(&eight, bytes.data() + at, 8);
      if (!(eight & 0x8080808080808080)) {
        at += 8;
        continue;
      }
    }
    const Part part = part_at(bytes.substr(at));
    if (part.kind != Part::character)
      break;
    at += part.length;
  }
  return at;
}

} // namespace

bool is_utf8(std::string_view bytes) { return valid_prefix(bytes) == bytes.size(); }

std::size_t append_repaired(std::string& text, std::string_view bytes) {
  std::size_t at = 0;
  while (true) {
    const std::size_t valid = valid_prefix(bytes.substr(at));
    text += bytes.substr(at, valid);
    at += valid;
    if (at == bytes.size())
      return at;
    const Part part = part_at(bytes.substr(at));
    if (part.kind == Part::cut)
      return at;
    text += replacement;
    at += part.length;
  }
}

std::string repaired(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  if (append_repaired(text, bytes) < bytes.size())
    text += replacement;
  return text;
}

} // namespace tegula::llm
