#include "llm/tokenizer/StopStrings.h"
#include "llm/tokenizer/Utf8.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <utility>

namespace tegula::llm {

StopStrings::StopStrings(const std::vector<std::string>& strings) {
  for (std::size_t i = 0; i < strings.size(); ++i) {
    if (strings[i].empty() || !is_utf8(strings[i]))
      throw Error("tegula: stop string " + std::to_string(i) + " is " + (strings[i].empty() ? "empty" : "not UTF-8") +
                  ", so that it says nothing about where a text ends; leave it out");
    Pattern pattern{strings[i], {0}};
    for (std::size_t end = 1; end < pattern.text.size(); ++end) {
      pattern.take(pattern.text[end]);
      pattern.shorter.push_back(pattern.matched);
    }
    pattern.matched = 0;
    patterns_.push_back(std::move(pattern));
  }
}

void StopStrings::Pattern::take(char byte) {
  while (matched > 0 && text[matched] != byte)
    matched = shorter[matched - 1];
  matched += text[matched] == byte;
}

std::string StopStrings::push(std::string_view part) {
  if (found_)
    return {};
  for (const char byte : part) {
    held_ += byte;
    std::size_t longest = 0;
    for (Pattern& pattern : patterns_) {
      pattern.take(byte);
      if (pattern.matched == pattern.text.size())
        longest = std::max(longest, pattern.matched);
    }
    if (longest > 0) {
      found_ = true;
      held_.resize(held_.size() - longest);
      return std::exchange(held_, {});
    }
  }
  std::size_t kept = 0;
  for (const Pattern& pattern : patterns_)
    kept = std::max(kept, pattern.matched);
  std::string text = held_.substr(0, held_.size() - kept);
  held_.erase(0, text.size());
  return text;
}

std::string StopStrings::finish() { return std::exchange(held_, {}); }

} // namespace tegula::llm
