#pragma once

#include "tools/ptxemu/Syntax.h"

namespace ptxemu {

struct Token {
  enum class Kind : std::uint8_t { end, word, number, string, mark };
  Kind kind = Kind::end;
  std::string_view text;
  int line = 0;
};

std::vector<Token> tokens_of(std::string_view text);

} // namespace ptxemu
