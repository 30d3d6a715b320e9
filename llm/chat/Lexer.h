// A template as a list of tokens.
#pragma once
#include "llm/chat/Position.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::llm::jinja {

struct Token {
  enum class Kind : std::uint8_t {
    words,      ///< text outside of tags, after white space control
    output,     ///< {{
    output_end, ///< }}
    block,      ///< {%
    block_end,  ///< %}
    name,
    string, ///< its value, not as it is written
    integer,
    real,
    symbol,
    end ///< of the template
  };
  Kind kind;
  Position at;
  std::string text;
  std::int64_t integer = 0;
  double real = 0;
};

/// As an error message calls it.
std::string describe(const Token&);

/// `source` is UTF-8; `name` is what errors call the template. The last token is Kind::end. White space is treated as with
/// trim_blocks and lstrip_blocks: the line break after a block goes, and so does what indents a block.
std::vector<Token> tokenize(const std::string& name, std::string_view source);

} // namespace tegula::llm::jinja
