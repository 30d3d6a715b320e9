#include "llm/checkpoint/Quote.h"

namespace tegula::llm {

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 160;
  std::string shown;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      shown += c;
    else
      (shown += "\\x") += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
  }
  return text.size() > longest ? shown + "..." : shown;
}

std::string in_quotes(std::string_view text) { return '"' + printable(text) + '"'; }

} // namespace tegula::llm
