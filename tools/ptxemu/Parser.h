#pragma once

#include "tools/ptxemu/Lexer.h"

namespace ptxemu {

// What the parts of the parser share: a place among the tokens.
class TokenStream {
public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& next() {
    const Token& token = peek();
    at_ += token.kind != Token::Kind::end;
    return token;
  }
  bool is(std::string_view text) const { return peek().text == text && peek().kind != Token::Kind::string; }
  bool accept(std::string_view text) {
    bool found = is(text);
    at_ += found;
    return found;
  }
  void expect(std::string_view text);
  std::string_view word(const char* what);
  std::int64_t integer();
  // Past the mark that closes the bracket that comes next.
  void skip_braces();
  [[noreturn]] void fail(const std::string& what) const;

private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

// The bits of a number, and how many bytes they are where it is a real (else 0).
struct Number {
  std::uint64_t bits = 0;
  int bytes = 0;
};
Number number_of(const Token& token);

Statement parse_statement(TokenStream& tokens, std::uint32_t location);
Variable parse_variable(TokenStream& tokens, std::string_view space);

} // namespace ptxemu
