// Strings at which a text is to end, looked for while it arrives in parts.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::llm {

class StopStrings {
public:
  /// Throws an Error if one of them is empty, or not UTF-8, and so in no text or in each.
  explicit StopStrings(const std::vector<std::string>& strings);

  /// Takes the next part of the text, in UTF-8, and gives out what surely stands before every stop string. Held back is what may be
  /// the beginning of one.
  std::string push(std::string_view part);
  /// Whether one is complete. The text ends before the first that is; before the longest, if several are at once.
  bool found() const { return found_; }
  /// At the end of the text: what was held back.
  std::string finish();

private:
  struct Pattern {
    std::string text;
    std::vector<std::size_t> shorter; // of the first i + 1 bytes: the longest end of them that is a beginning of the text, too
    std::size_t matched = 0;          // how many bytes of the beginning are now at the end of the text; after a whole one, all
    void take(char byte);
  };
  std::vector<Pattern> patterns_;
  std::string held_;
  bool found_ = false;
};

} // namespace tegula::llm
