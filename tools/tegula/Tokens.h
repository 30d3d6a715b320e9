// C++ source as tokens, as far as a search for one call needs them: names, string literals, and everything else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

struct Token {
  enum class Kind : unsigned char { name, string, other };
  Kind kind = Kind::other;
  std::string text;  // of a string its characters, escapes as they are written; of `other` one character, "::", "->" or a number
  unsigned line = 1; // counted from 1
  bool directive = false; // inside a line that starts with #
};

/// Without comments. Adjacent string literals stay apart.
std::vector<Token> tokens_of(std::string_view source);

} // namespace tegula
