#include "llm/chat/Lexer.h"

namespace tegula::llm::jinja {

std::string describe(const Token& token) {
  switch (token.kind) {
  case Token::Kind::words:
    return "text";
  case Token::Kind::output:
    return "'{{'";
  case Token::Kind::output_end:
    return "'}}'";
  case Token::Kind::block:
    return "'{%'";
  case Token::Kind::block_end:
    return "'%}'";
  case Token::Kind::string:
    return "a string";
  case Token::Kind::end:
    return "the end of the template";
  default:
    return "'" + token.text + "'";
  }
}

} // namespace tegula::llm::jinja
