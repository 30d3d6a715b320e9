// Bytes that are, or ought to be, UTF-8.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tegula::llm {

/// What U+FFFD, which stands for what is not UTF-8, is in UTF-8.
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// A character of text that is known to be UTF-8.
struct Character {
  char32_t code;
  std::uint32_t length; // in bytes
};
inline Character character_at(const char* text) {
  const auto byte = [&](int i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t lead = byte(0);
  if (lead < 0x80)
    return {lead, 1};
  if (lead < 0xE0)
    return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (lead < 0xF0)
    return {(lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

bool is_utf8(std::string_view bytes);

/// Appends bytes to a text, with U+FFFD for each longest part of them that begins a character and is none, or for a byte that
/// begins none: as Python's bytes.decode("utf-8", "replace") and Rust's String::from_utf8_lossy do. If the end is such a part, it
/// is left out, because more bytes may complete it. Returns how many bytes are in the text now.
std::size_t append_repaired(std::string& text, std::string_view bytes);

/// The same for all bytes: what is cut off at their end becomes U+FFFD, too.
std::string repaired(std::string_view bytes);

} // namespace tegula::llm
