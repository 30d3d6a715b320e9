#include "tools/ptxemu/Lexer.h"

#include <cctype>

namespace ptxemu {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.'; }

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (skip_space(), at_ < text_.size())
      tokens.push_back(next());
    tokens.push_back({Token::Kind::end, text_.substr(text_.size()), line_});
    return tokens;
  }

private:
  void skip_space() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '\n')
        ++line_;
      if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    std::size_t end = text_.find("*/", at_);
    if (end == std::string_view::npos)
      throw SyntaxError(line_, "a comment has no end");
    for (; at_ < end + 2; ++at_)
      line_ += text_[at_] == '\n';
  }

  Token next() {
    std::size_t from = at_;
    auto token = [&](Token::Kind kind) { return Token{kind, text_.substr(from, at_ - from), line_}; };
    char c = text_[at_];
    if (c == '"') {
      at_ = text_.find('"', at_ + 1);
      if (at_ == std::string_view::npos)
        throw SyntaxError(line_, "a string has no end");
      ++at_;
      return token(Token::Kind::string);
    }
    if (in_word(c)) {
      while (at_ < text_.size() && (in_word(text_[at_]) || pair_of_colons()))
        at_ += pair_of_colons() ? 2 : 1;
      return token(std::isdigit(static_cast<unsigned char>(c)) ? Token::Kind::number : Token::Kind::word);
    }
    ++at_;
    return token(Token::Kind::mark);
  }

  // shared::cta is one word; a label's single colon ends it.
  bool pair_of_colons() const { return text_.substr(at_, 2) == "::"; }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

} // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).run(); }

} // namespace ptxemu
